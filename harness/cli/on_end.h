#pragma once

#include <filesystem>
#include <string>

#include "cli/progress.h"
#include "store/store.h"

namespace bisect_run::cli {

/// Runs the person's own command when a run has ended. It is given to `sh -c` as it was typed;
/// nothing from the repository or a guest is in it. The answer comes as JSON on its stdin (also a
/// file, BISECT_RUN_JSON), with BISECT_RUN_ID, BISECT_RUN_STATUS, BISECT_RUN_EXIT and
/// BISECT_RUN_COMMITS (object names) in its environment; what it prints goes to stderr. A command
/// that fails is said aloud and changes nothing else.
void run_on_end(const std::string& command, const store::Store& store, const std::string& run,
                const std::filesystem::path& run_directory, int exit_code, Progress& progress);

}  // namespace bisect_run::cli
