#pragma once

#include <filesystem>
#include <functional>

#include "report/facts.h"
#include "store/store.h"

// From what the store holds of a run to what the reports are made of.

namespace bisect_run::cli {

/// How much is looked up beside the run's own records.
struct Depth {
  bool kernels = false;              ///< configurations of the kernels side by side, from the cache
  bool all_kernels = false;          ///< of every kernel that was built
  bool suspicion = false;            ///< order and probability of the commits, from the repository
  bool people = false;               ///< whom the answer's commit names
  bool steps = false;                ///< why each step of a bisect was made
  std::filesystem::path cache = {};  ///< that of the kernels, for what was set back
};

Result<report::BisectFacts> bisect_facts(const store::Store& store, const store::RunRecord& run,
                                         Depth depth = {});

/// `history` may be one whose boots were reduced (see report/facts.h).
report::ComparisonFacts comparison_facts(const store::RunRecord& run, const History& history,
                                         Depth depth = {});

/// How the cells of a comparison are judged.
stats::MatrixRule rule_of(const RunRequest& request);

/// A run's history with one number a boot, metric and mark.
Result<History> reduced_history(const store::Store& store, const std::string& run);

/// `20261130T141503Z` style times are hard to read: `2026-11-30 14:15:03 UTC`.
std::string utc_time(double epoch_s);

}  // namespace bisect_run::cli
