#pragma once

#include <memory>
#include <span>
#include <vector>

#include "bisect/boot_facts.h"
#include "bisect/classes.h"
#include "bisect/posterior_belief.h"
#include "bisect/posterior_calibration.h"

namespace bisect_run::bisect {

/// What one boot left behind, for replaying the course of a run without computing it anew.
struct Step {
  BootFact boot;
  bool apart = false;  ///< the ends are told apart by now; nothing below holds before
  double favourite_mass = 0;
  double nothing_mass = 0;  ///< of no further change
  /// Commits of the heaviest class, kept from half of the mass on.
  std::shared_ptr<const std::vector<Node>> favourite;
  std::shared_ptr<const std::vector<Node>> outsiders;  ///< its boundary nodes
  double sigma2 = 0, drift = 0, change = 0;
};

/// Folds boots into a belief. The belief after n boots depends on these boots and their order.
class PosteriorModel {
 public:
  /// `classes`: before any boot.
  PosteriorModel(const Graph& graph, const PosteriorSettings& settings, Classes classes);

  void add(const BootFact& boot);
  /// From now on a further change is sought, beside one at this commit (the first of its class).
  /// The last step is what is believed then.
  void take_as_known(Node change);
  const std::vector<Node>& known() const { return known_; }
  /// Sizes of changes at these commits, each beside the others.
  std::vector<ChangeSize> sizes(const std::vector<Node>& changes) const;
  /// What all boots of the ends so far say of their difference.
  stats::EndsLook ends() const;

  const Calibration& calibration() const { return calibration_; }
  const std::vector<Step>& steps() const { return steps_; }
  const Classes& classes() const { return classes_; }
  Classes& classes() { return classes_; }
  /// Once the ends are told apart.
  const Belief& belief() const { return belief_; }
  const std::vector<std::vector<Node>>& build_nodes() const { return build_nodes_; }
  /// Boots of each build so far.
  const std::vector<std::size_t>& build_boots() const { return build_boots_; }
  /// The boots in the cell of the noise model that holds most mass.
  const stats::Whitened& best_cell() const { return cells_[belief_.best_cell]; }

 private:
  BeliefInput input() const;
  void fit();
  bool reweigh();
  void refactor();
  Step step_after(const BootFact& boot) const;

  const Graph& graph_;
  Calibration calibration_;
  Classes classes_;
  std::vector<BootFact> boots_;
  std::vector<double> weights_;  ///< variance factor of each boot
  std::vector<std::vector<Node>> build_nodes_;
  std::vector<std::size_t> build_boots_;
  std::vector<stats::Whitened> cells_;
  std::vector<Node> known_;
  Belief belief_;
  std::vector<Step> steps_;
};

}  // namespace bisect_run::bisect
