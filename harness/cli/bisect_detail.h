#pragma once

#include <filesystem>
#include <vector>

#include "model/history.h"
#include "report/facts.h"
#include "store/records.h"

namespace bisect_run::cli {

/// Every boot of a commit of a bisect in the order of time, with its number for the deciding
/// metric.
std::vector<report::BootPoint> boot_points(const RunRequest& request, const History& history);

/// Good end, the answer's parents, the answer, bad end: what was booted of them, side by side.
report::ComparisonFacts levels_of(const report::BisectFacts& facts, const History& history);

/// Adds what only the history of the commits tells, as far as the repository is still there: which
/// probed commits come after the answer without having it; with `suspicion` each boot's place in
/// the order of the commits and every commit's probability, too; `cache` as in past_reads.h.
void add_order(report::BisectFacts& facts, const store::RunRecord& run, const History& history,
               bool suspicion, const std::filesystem::path& cache);

/// Names and addresses in the answer's commit, each once, as they stand in it; empty without an
/// answer.
std::vector<std::string> people_of(const report::BisectFacts& facts, const std::string& repository);

/// The same from the text of a commit: its author and its trailers.
std::vector<std::string> people_in(std::string_view message);

}  // namespace bisect_run::cli
