#pragma once

#include "cli/arguments.h"

namespace CLI {
class App;
}

namespace bisect_run::cli {

/// `left_out` says what stands where it is not given.
void add_budget(CLI::App& app, Arguments& arguments, const char* left_out = "no limit");
void add_min_effect(CLI::App& app, Arguments& arguments);
/// What the answer of a bisect must be like, and among which commits it is sought.
void add_search(CLI::App& app, Arguments& arguments);

}  // namespace bisect_run::cli
