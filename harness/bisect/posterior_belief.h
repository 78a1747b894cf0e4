#pragma once

#include <vector>

#include "bisect/classes.h"
#include "stats/likelihood.h"
#include "stats/noise_model.h"

namespace bisect_run::bisect {

/// What is believed after some boots: the culprit's class, and the noise.
struct Belief {
  std::vector<double> mass;       ///< by class; with `nothing` the sum is 1
  double nothing = 0;             ///< mass of no change beyond the known ones
  std::vector<double> delta;      ///< change of level were the culprit in that class
  std::vector<double> delta_var;  ///< and its variance
  double two_changes = 0;         ///< mass of all pairs of changes
  // Means over everything:
  double sigma2 = 0;          ///< variance of a boot
  double sigma_u2 = 0;        ///< variance of a build
  double drift = 0;           ///< variance per second
  double change = 0;          ///< Delta, where there is one
  std::size_t best_cell = 0;  ///< the noise cell of most mass

  std::size_t heaviest() const;
};

struct BeliefInput {
  const Classes& classes;
  const std::vector<stats::Whitened>& cells;          ///< the same boots in every cell
  const std::vector<std::vector<Node>>& build_nodes;  ///< nodes of each build, all probed
  stats::Prior prior;
  /// Commits at which the level is known to change, each the first of its class: the change sought
  /// is a further one, or none at all.
  std::vector<Node> known = {};
};

/// The posterior over classes: 0.9 of the prior for one change, uniform over commits, 0.1 for two
/// changes of the same sign (statistics.md, sections 4 and 5; on a history with merges only pairs
/// with a class of mass 1e-3 under one change). A class that would give two levels to one and the
/// same kernel is held to be a million times less likely.
///
/// With known changes their sizes are integrated out as the level is, their classes are out of the
/// question, and a further change is a priori as likely as a second one: 0.1.
Belief believe(const BeliefInput& input);

/// The size of one change beside the others, all in the best cell; `changes` as in
/// BeliefInput::known.
struct ChangeSize {
  double delta = 0;
  double variance = 0;  ///< scale^2 of a Student t with 2 a0 + n degrees of freedom
};
std::vector<ChangeSize> sizes_of(const BeliefInput& input, std::size_t cell,
                                 const std::vector<Node>& changes);

}  // namespace bisect_run::bisect
