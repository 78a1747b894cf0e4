#pragma once

#include <vector>

#include "bisect/classes.h"
#include "stats/likelihood.h"
#include "stats/noise_model.h"

namespace bisect_run::bisect {

/// What is believed after some boots: the culprit's class, and the noise.
struct Belief {
  std::vector<double> mass;       ///< by class, sum 1
  std::vector<double> delta;      ///< change of level were the culprit in that class
  std::vector<double> delta_var;  ///< and its variance
  double two_changes = 0;         ///< mass of all pairs of changes
  // Means over everything:
  double sigma2 = 0;          ///< variance of a boot
  double sigma_u2 = 0;        ///< variance of a build
  double drift = 0;           ///< variance per second
  double change = 0;          ///< Delta
  std::size_t best_cell = 0;  ///< the noise cell of most mass

  std::size_t heaviest() const;
};

struct BeliefInput {
  const Classes& classes;
  const std::vector<stats::Whitened>& cells;          ///< the same boots in every cell
  const std::vector<std::vector<Node>>& build_nodes;  ///< nodes of each build, all probed
  stats::Prior prior;
};

/// The posterior over classes: 0.9 of the prior for one change, uniform over commits, 0.1 for two
/// changes of the same sign (statistics.md, sections 4 and 5; on a history with merges only pairs
/// with a class of mass 1e-3 under one change). A class that would give two levels to one and the
/// same kernel is held to be a million times less likely.
Belief believe(const BeliefInput& input);

}  // namespace bisect_run::bisect
