#pragma once

#include <memory>
#include <optional>

#include "bisect/graph.h"
#include "bisect/strategy.h"

namespace bisect_run::bisect {

/// Defaults: statistics.md, section 16.
struct PosteriorSettings {
  Prices prices;             ///< until the run knows its own
  double min_effect = 0.02;  ///< smallest change of y worth a name
  double resolution = 0;     ///< relative resolution of the metric; 0: none to speak of
  int most_pairs = 40;       ///< calibration
  double enter = 0.90;       ///< mass at which the favourite is verified
  double accept = 0.99;      ///< mass at which it is the answer
  int verify_boots = 3;      ///< of the favourite and of each parent; one less where they differ
                             ///< by many times the noise
  int most_boots = 450;      ///< then the answer is a set
  int most_skips = 12;       ///< untestable commits inside the favourite class before it is a set
  std::uint32_t most_layouts = 1;  ///< builds per commit; above 1 only where the lab makes layouts
  bool search_on = true;           ///< for more changes, where one leaves enough of the difference
  NodeSet set_back;                ///< commits that are a thousandth as likely; empty: none.
                                   ///< Strategy::set_back adds to them
};

/// The posterior over commits: statistics.md, sections 1 to 11. Each boot updates the probability
/// of every commit to be the one where the level changed; the next action is the one that promises
/// the most information for its time; the favourite is verified, and named at 0.99. What it leaves
/// of the difference between the ends is searched for further changes in the same way.
///
/// Pure: actions depend on the evidence alone. Successive calls with growing evidence are fast.
std::unique_ptr<Strategy> make_posterior(Graph graph, PosteriorSettings settings = {});
std::unique_ptr<Strategy> make_posterior(const Range& range, PosteriorSettings settings = {});

}  // namespace bisect_run::bisect
