#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "stats/group_levels.h"

namespace bisect_run::stats {

/// One boot of the revert test: GOOD, BAD, and BAD with the culprit reverted, in turn.
struct RevertBoot {
  enum class Kernel { good, bad, reverted };
  Kernel kernel = Kernel::good;
  double y = 0;
  double time_s = 0;
};

enum class RevertVerdict {
  confirmed,     ///< the revert brings most of it back
  partial,       ///< it brings a part back: something else adds to it
  refuted,       ///< it does not bring it back
  inconclusive,  ///< more boots are needed
};

std::string_view to_string(RevertVerdict verdict);

struct RevertTest {
  RevertVerdict verdict = RevertVerdict::inconclusive;
  Position recovered;  ///< R: 0 as slow as BAD, 1 as fast as GOOD
};

/// R = (y_rev - y_bad) / (y_good - y_bad) with its standard error, mixed over the drift cells
/// (statistics.md, section 12). Nothing unless each kernel has a boot.
std::optional<RevertTest> judge_revert(std::span<const RevertBoot> boots, double b0 = 0.0008);

/// The verdicts in their order: refuted R + 2se < 0.5; partial R - 2se > 0 and R + 2se < 0.85;
/// confirmed R - 2se > 0.5; else inconclusive.
RevertVerdict verdict_of(const Position& recovered);

}  // namespace bisect_run::stats
