#include "bisect/posterior_model.h"

#include <algorithm>
#include <cmath>

#include "stats/outliers.h"

namespace bisect_run::bisect {
namespace {

constexpr double kRemembered = 0.5;  // mass from which a favourite's commits are kept
constexpr double kNegligible = 1e-4;

void append(std::vector<stats::Whitened>& cells, const BootFact& boot, double weight) {
  for (stats::Whitened& cell : cells) cell.append(boot.y, boot.time_s, boot.build, weight);
}

std::vector<stats::Whitened> empty_cells() {
  std::vector<stats::Whitened> cells;
  for (const stats::NoiseCell& cell : stats::noise_grid()) cells.emplace_back(cell);
  return cells;
}

}  // namespace

PosteriorModel::PosteriorModel(const Graph& graph, const PosteriorSettings& settings,
                               Classes classes)
    : graph_(graph), calibration_(settings), classes_(std::move(classes)), cells_(empty_cells()) {}

void PosteriorModel::add(const BootFact& boot) {
  boots_.push_back(boot);
  weights_.push_back(1);
  if (boot.build >= build_nodes_.size()) {
    build_nodes_.resize(boot.build + 1);
    build_boots_.resize(boot.build + 1, 0);
  }
  for (Node node : boot.nodes) {
    std::vector<Node>& nodes = build_nodes_[boot.build];
    if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
    if (classes_.probed(node)) continue;
    if (!belief_.mass.empty())
      for (std::size_t k = 0; k < classes_.size(); ++k)
        if (belief_.mass[k] <= kNegligible) classes_.forget(k);
    classes_.split(node);
    belief_.mass.clear();  // by class: out of date
  }
  ++build_boots_[boot.build];
  append(cells_, boot, 1);
  for (Node node : boot.nodes)
    if (node == graph_.good() || node == graph_.bad())
      calibration_.add({boot.y, boot.time_s, node == graph_.bad()});
  if (calibration_.state() == Calibration::State::apart) {
    fit();
    if (reweigh()) {
      refactor();
      fit();
    }
  }
  steps_.push_back(step_after(boot));
}

void PosteriorModel::take_as_known(Node change) {
  known_.push_back(change);
  fit();
  steps_.back() = step_after(steps_.back().boot);
}

BeliefInput PosteriorModel::input() const {
  return {classes_, cells_, build_nodes_, calibration_.prior(), known_};
}

void PosteriorModel::fit() {
  belief_ = believe(input());
}

std::vector<ChangeSize> PosteriorModel::sizes(const std::vector<Node>& changes) const {
  return sizes_of(input(), belief_.best_cell, changes);
}

stats::EndsLook PosteriorModel::ends() const {
  std::vector<stats::EndBoot> boots;
  for (const BootFact& boot : boots_)
    for (Node node : boot.nodes)
      if (node == graph_.good() || node == graph_.bad())
        boots.push_back({boot.y, boot.time_s, node == graph_.bad()});
  return stats::look_at_ends(boots, calibration_.prior().b0);
}

/// New variance factors for outlying boots; true if any changed enough to matter.
bool PosteriorModel::reweigh() {
  const double sigma = std::sqrt(belief_.sigma2);
  std::vector<std::vector<std::size_t>> boots_of(build_nodes_.size());
  for (std::size_t i = 0; i < boots_.size(); ++i) boots_of[boots_[i].build].push_back(i);
  bool changed = false;
  for (const std::vector<std::size_t>& members : boots_of) {
    std::vector<stats::BuildBoot> beside;
    for (std::size_t i : members) beside.push_back({boots_[i].y, boots_[i].time_s});
    for (std::size_t place = 0; place < members.size(); ++place) {
      const auto weight = stats::outlier_weight(beside, place, sigma);
      double& current = weights_[members[place]];
      if (!weight || !stats::worth_adopting(current, *weight)) continue;
      current = *weight;
      changed = true;
    }
  }
  return changed;
}

void PosteriorModel::refactor() {
  cells_ = empty_cells();
  for (std::size_t i = 0; i < boots_.size(); ++i) append(cells_, boots_[i], weights_[i]);
}

Step PosteriorModel::step_after(const BootFact& boot) const {
  Step step;
  step.boot = boot;
  step.apart = calibration_.state() == Calibration::State::apart;
  if (step.apart) {
    const std::size_t k = belief_.heaviest();
    const Classes::Class& heaviest = classes_[k];
    step.favourite_mass = belief_.mass[k];
    step.nothing_mass = belief_.nothing;
    step.sigma2 = belief_.sigma2;
    step.drift = belief_.drift;
    step.change = belief_.change;
    if (step.favourite_mass >= kRemembered) {
      const bool same = !steps_.empty() && steps_.back().favourite &&
                        *steps_.back().favourite == heaviest.commits;
      step.favourite = same ? steps_.back().favourite
                            : std::make_shared<const std::vector<Node>>(heaviest.commits);
      std::vector<Node> outsiders;
      for (Node node = 0; node < graph_.boundary(); ++node)
        if (heaviest.members.contains(node)) outsiders.push_back(node);
      step.outsiders = std::make_shared<const std::vector<Node>>(std::move(outsiders));
    }
  }
  return step;
}

}  // namespace bisect_run::bisect
