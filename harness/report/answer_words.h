#pragma once

#include <optional>
#include <string>

#include "report/facts.h"

// The words for an answer, the same in every format.

namespace bisect_run::report {

/// `first commit with the new level`, or why there is none.
std::string heading_words(const BisectFacts& facts);
/// Changes from here on are told as factors: percents of them are hard to read.
inline constexpr double kManyfold = 10;

/// `-92.9 %`, or `x2752`.
std::string effect_text(double effect);
/// `95 % interval -93.5 % to -92.4 %`; empty where it is not known.
std::string interval_text(double effect, std::optional<double> low, std::optional<double> high);
/// Both, the interval in brackets.
std::string effect_text(double effect, std::optional<double> low, std::optional<double> high);
/// `add+exec at mark 50, items/s, higher is better`
std::string metric_words(const Metric& metric, std::int64_t mark);
/// How the run stands: `run ID: running, about 12 min 00 s left`.
std::string state_text(const RunFacts& run);
/// The name of an end as typed, with its 12 digits where it has another name.
std::string end_words(const KernelSpec& end);

}  // namespace bisect_run::report
