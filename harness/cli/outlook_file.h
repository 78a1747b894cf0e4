#pragma once

#include <filesystem>
#include <optional>

#include "model/history.h"

namespace bisect_run::cli {

/// What a controller expects to need still; written beside its run, so that `show` can tell when
/// it will be done. A view like the verdicts: losing it costs nothing.
struct ExpectedWork {
  double builds = 0, boots = 0;
};

void write_outlook(const std::filesystem::path& run_directory, const ExpectedWork& work);
std::optional<ExpectedWork> read_outlook(const std::filesystem::path& run_directory);

/// Seconds for `work`, from what builds and boots have cost so far in this run; nothing without a
/// boot to learn from.
std::optional<double> expected_seconds(const ExpectedWork& work, const History& history);

}  // namespace bisect_run::cli
