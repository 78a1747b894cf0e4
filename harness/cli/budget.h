#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/prober.h"
#include "model/history.h"
#include "store/store.h"

namespace bisect_run::cli {

/// Stage of the journal line that every controller writes when it takes a run up.
inline constexpr const char* kSessionStage = "session";
/// And the one that it writes when a search has ended: what it did last counts as work, too.
inline constexpr const char* kSearchedStage = "searched";

/// Seconds that a run was worked on: its clock, without the time between the last thing a
/// controller recorded and the start of the next one.
double worked_seconds(const std::vector<store::JournalLine>& journal, const History& history);

/// Notes that a controller takes the run up, and says when its budget will be spent, on the run's
/// clock: what was worked before counts. Nothing where `budget_s` is 0, which is without limit.
Result<std::optional<double>> begin_session(const store::Store& store, const std::string& run,
                                            double budget_s, engine::Prober& prober);

}  // namespace bisect_run::cli
