#pragma once

#include <filesystem>
#include <string>

#include "cli/context.h"
#include "cli/inputs.h"
#include "cli/printing.h"
#include "engine/evidence.h"
#include "store/store.h"

namespace bisect_run::cli {

/// A run that stands in the store and has its own copies of everything it needs.
struct StoredRun {
  std::string id;
  std::filesystem::path directory;  ///< results/runs/ID
  double started_at = 0;            ///< seconds since the epoch
};

/// What decides in a run: its metric at its first mark.
engine::Question question_of(const RunRequest& request);

/// Where a `judge` run has its subject among its kernels: between the ends.
inline constexpr std::size_t kSubjectKernel = 1;

/// Writes the run down and copies agent, scenario and recipe, so that an upgrade in the night
/// changes nothing. Errors: usage or infra of the store and the file system.
Result<StoredRun> begin_run(store::Store& store, const Inputs& inputs, const Places& places);

/// How a run is carried out and what is printed at its end.
struct Execution {
  store::Store& store;
  StoredRun run;
  Inputs inputs;
  bool quiet = false;
  Printing printing;
};

/// Does what is left of the run, records how it ended, prints the answer, and returns the exit
/// code. Errors: infra and interrupted, both resumable; usage.
Result<int> execute(Execution execution, const Context& context);

std::filesystem::path run_directory(const Places& places, const std::string& id);

}  // namespace bisect_run::cli
