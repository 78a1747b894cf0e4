#pragma once

#include <vector>

#include "model/history.h"
#include "store/records.h"

namespace bisect_run::cli {

/// Stage of the journal line that every controller writes when it takes a run up.
inline constexpr const char* kSessionStage = "session";
/// And the one that it writes when a search has ended: what it did last counts as work, too.
inline constexpr const char* kSearchedStage = "searched";

/// Seconds that a run was worked on: its clock, without the time between the last thing a
/// controller recorded and the start of the next one.
double worked_seconds(const std::vector<store::JournalLine>& journal, const History& history);

}  // namespace bisect_run::cli
