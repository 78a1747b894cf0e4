#pragma once

#include <vector>

#include "bisect/rehearsal.h"
#include "bisect/strategy.h"
#include "cli/search_space.h"

namespace bisect_run::cli {

/// What things are expected to cost and how much boots of one kernel differ.
struct Tariff {
  double build_s = 240;
  double boot_s = 30;
  double sigma = 0.025;  ///< statistics.md, section 2: nine samples a boot
};

/// What a search for a change of one size is expected to take.
struct Price {
  double effect = 0;  ///< relative change
  double builds = 0, boots = 0, seconds = 0;
  int rehearsals = 0;  ///< plays it is the mean of; 0: by the formula alone
};

/// The cost before anything is known but sizes (statistics.md, section 7, step 5).
Price price_by_formula(double candidates, double effect, const Tariff& tariff);

/// Plays the strategy itself in a simulated lab, on the real history, with the change at commits
/// spread over it, as often as `patience_s` allows; by the formula where it allows no play.
std::vector<Price> prices(bisect::Strategy& strategy, const SearchSpace& space,
                          const std::vector<double>& effects, const Tariff& tariff,
                          double patience_s);

}  // namespace bisect_run::cli
