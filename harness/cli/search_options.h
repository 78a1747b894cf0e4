#pragma once

#include "cli/arguments.h"

namespace CLI {
class App;
}

namespace bisect_run::cli {

void add_budget(CLI::App& app, Arguments& arguments);
void add_min_effect(CLI::App& app, Arguments& arguments);
/// What the answer of a bisect must be like, and among which commits it is sought.
void add_search(CLI::App& app, Arguments& arguments);

}  // namespace bisect_run::cli
