#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/boot.h"

namespace bisect_run::report {

/// A whole loop in one boot: what greear and bligh print. A metric is KIND.PHASE, such as
/// veth.create; a metric without a dot is its own kind.
struct LoopTotal {
  std::string kind;
  std::string phase;
  std::int64_t items = 0;
  double seconds = 0;
  std::optional<double> user_s, system_s;  ///< null where one sample lacks it
};

/// Sums of the samples of one boot, in the order in which metrics are found; repetitions apart.
std::vector<LoopTotal> totals_of(const std::vector<Sample>& samples);

/// The median over boots of each total that all boots have: kinds, phases and items must agree.
std::vector<LoopTotal> median_totals(const std::vector<std::vector<LoopTotal>>& boots);

}  // namespace bisect_run::report
