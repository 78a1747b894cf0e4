#pragma once

#include "cli/arguments.h"

namespace CLI {
class App;
}

namespace bisect_run::cli {

/// What `compare` takes beside the options of every measuring command.
void add_compare_options(CLI::App& compare, Arguments& a);

/// Errors: usage, where what was typed for `compare` does not go together.
Status check_compare(const Arguments& a);

}  // namespace bisect_run::cli
