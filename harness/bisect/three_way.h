#pragma once

#include <memory>

#include "bisect/graph.h"
#include "bisect/strategy.h"

namespace bisect_run::bisect {

struct ThreeWaySettings {
  int first_pairs = 3;       ///< boots per end before the first look at the ends
  int most_pairs = 40;       ///< after that many the ends count as not to be told apart
  int most_boots = 20;       ///< per commit; then it stays undecided
  int confirm_boots = 3;     ///< more for the answer and its parents
  int most_skips = 12;       ///< untestable commits among the candidates before a set is reported
  double min_effect = 0.02;  ///< smallest change of y that is looked for
  double error = 0.01;       ///< of all steps together
  double control_s = 1800;   ///< the ends are booted again after so many seconds
};

/// The first decision rule. Both ends are booted in turn until they can be told apart; each probed
/// commit is booted until it is like GOOD, like BAD (sequential probability ratio test, in which no
/// single boot can decide) or undecided at the bound; commits that cannot be judged are stepped
/// away from. One commit is named only after itself and all its parents were measured and confirmed
/// by more boots in turn. Levels follow the ends when these drift, and every verdict with them.
std::unique_ptr<Strategy> make_three_way(Graph graph, ThreeWaySettings settings = {});
std::unique_ptr<Strategy> make_three_way(const Range& range, ThreeWaySettings settings = {});

}  // namespace bisect_run::bisect
