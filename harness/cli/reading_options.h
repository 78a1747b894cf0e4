#pragma once

#include "cli/arguments.h"

namespace CLI {
class App;
}

namespace bisect_run::cli {

// Options of the commands that read results, and of what happens to an answer.

/// Shapes of a table that was measured just now: --style, --against, --json.
void add_printing(CLI::App& command, Arguments& a);
void add_report_options(CLI::App& report, Arguments& a);
void add_runs_options(CLI::App& runs, Arguments& a);
void add_on_end(CLI::App& command, Arguments& a);

}  // namespace bisect_run::cli
