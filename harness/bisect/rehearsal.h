#pragma once

#include <cstdint>
#include <functional>

#include "bisect/graph.h"
#include "bisect/strategy.h"

namespace bisect_run::bisect {

/// A world in which a search is played before it is paid for: one change, kernels that all build
/// and boot, noise and drift as in statistics.md, section 3.
struct Stage {
  Node culprit = 0;
  double change = -0.05;  ///< of y, from the culprit on
  double sigma = 0.025;   ///< standard deviation of a boot
  double drift = 0.05;    ///< of the level, over 8 hours
  double build_s = 240;
  double boot_s = 30;
  std::uint64_t seed = 1;
};

struct Outlay {
  int builds = 0;
  int boots = 0;
  double seconds = 0;
  bool finished = false;  ///< the strategy came to a conclusion
};

/// Plays the strategy to its conclusion, or until `stop` says so. Equal stages, equal play.
Outlay rehearse(Strategy& strategy, const Graph& graph, const Stage& stage,
                const std::function<bool()>& stop);

}  // namespace bisect_run::bisect
