#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "store/store.h"

namespace bisect_run::cli {

/// The runs that the filters of `runs` leave. Errors: usage, for a date that is none.
Result<std::vector<store::RunRecord>> filtered(std::vector<store::RunRecord> runs,
                                               const Arguments& arguments);

/// One line a run: id, when it began, kind, state, scenario, kernels, and what came of it.
std::string run_lines(const std::vector<store::RunRecord>& runs);
/// As schemas/runs.schema.json says.
std::string runs_json(const std::vector<store::RunRecord>& runs);

/// Midnight of `2026-11-30`, local time, as seconds since the epoch. Errors: usage.
Result<double> midnight_of(const std::string& date);

}  // namespace bisect_run::cli
