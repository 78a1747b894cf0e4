#pragma once

#include <string>

#include "report/facts.h"

// The words for an answer, the same in every format.

namespace bisect_run::report {

/// `first commit with the new level`, or why there is none.
std::string heading_words(const BisectFacts& facts);
/// ` (95 % interval -93.5 % to -92.4 %)`; empty without one.
std::string interval_words(const Answer& answer);
/// `add+exec at mark 50, items/s, higher is better`
std::string metric_words(const Metric& metric, std::int64_t mark);
/// How the run stands: `run ID: running, about 12 min 00 s left`.
std::string state_text(const RunFacts& run);
/// The name of an end as typed, with its 12 digits where it has another name.
std::string end_words(const KernelSpec& end);

}  // namespace bisect_run::report
