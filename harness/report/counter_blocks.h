#pragma once

#include <vector>

#include "model/history.h"
#include "report/styles.h"

namespace bisect_run::report {

/// The perf-stat blocks of a column's boots: one for each loop that reports the cost of a pair of
/// atomic operations (`NAME.pair`), with the medians over all samples of its counters. A counter
/// that no sample has a value for is one that the guest does not have.
std::vector<CounterBlock> counter_blocks(const std::vector<BootRecord>& boots);

}  // namespace bisect_run::report
