#pragma once

#include "cli/arguments.h"

namespace CLI {
class App;
}

namespace bisect_run::cli {

/// What a run that is resumed keeps where an option is left out.
inline constexpr const char* kAsBegun = "as the run was begun with";

/// --connect; `left_out` says what stands where it is not given.
void add_connect(CLI::App& app, Arguments& arguments, const char* left_out = kDefaultConnect);

/// --cache-size and --isolate-builds.
void add_housekeeping(CLI::App& app, Arguments& arguments, const char* left_out = "kernels.yaml");

}  // namespace bisect_run::cli
