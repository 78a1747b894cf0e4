#include "bisect/posterior_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "stats/mutual_information.h"

namespace bisect_run::bisect {
namespace {

constexpr double kLevelVariance = 1.1;  // the levels are estimates too
constexpr double kWorthALook = 1e-4;    // mass of a class
constexpr int kMostPlanned = 8;         // boots of a new commit, for its price
constexpr int kMostPlannedLayout = 6;
constexpr double kNearlyAll = 0.99;
constexpr std::size_t kEachAway =
    150;  // around a choice near failures every commit is tried so far

}  // namespace

Choice::Choice(const Graph& graph, const PosteriorSettings& settings, PosteriorModel& model,
               const SkipRisk& risk, const Evidence& evidence)
    : graph_(graph),
      settings_(settings),
      model_(model),
      risk_(risk),
      prices_(evidence.prices.value_or(settings.prices)),
      change_(std::abs(model.belief().change)),
      variance_(kLevelVariance * model.belief().sigma2),
      luck_(model.belief().sigma_u2),
      layouts_fail_(evidence.layouts_fail) {
  for (Node node : evidence.built)
    if (untried(node)) built_.push_back(node);
  weigh_suspicion(model);
}

void Choice::weigh_suspicion(PosteriorModel& model) {
  const std::vector<double>& mass = model.belief().mass;
  std::vector<std::size_t> heavy;
  for (std::size_t k = 0; k < mass.size(); ++k)
    if (mass[k] > kWorthALook) heavy.push_back(k);
  model.classes().count(heavy);
  bad_.assign(graph_.size(), 0);
  for (std::size_t k : heavy) {
    const Classes::Class& in = model.classes()[k];
    const double per_weight = mass[k] / in.weight;
    for (Node node = 0; node < graph_.size(); ++node)
      bad_[node] += per_weight * static_cast<double>(in.inside[node]);
  }
}

bool Choice::untried(Node node) const {
  return !model_.classes().probed(node) && !risk_.failed(node);
}

void Choice::offer(const Option& option) {
  if (option.rate > best_.rate) best_ = option;
}

void Choice::try_new(Node node) {
  const double works = 1 - risk_(node);
  for (int boots = 1; boots <= kMostPlanned; ++boots) {
    const double bits =
        stats::mutual_information(bad_[node], change_ / std::sqrt(variance_ / boots + luck_));
    const double price = prices_.build_s + works * boots * prices_.boot_s;
    offer({Kind::fresh, node, 0, 0, bits, works * bits / price});
  }
}

void Choice::try_unbooted(Node node) {
  const double bits = stats::mutual_information(bad_[node], change_ / std::sqrt(variance_ + luck_));
  offer({Kind::unbooted, node, 0, 0, bits, bits / prices_.boot_s});
}

void Choice::try_again(std::size_t build, std::uint32_t layout) {
  const Node node = model_.build_nodes()[build].front();
  const double boots = static_cast<double>(model_.build_boots()[build]);
  const double gain = 1 / (variance_ / (boots + 1) + luck_) - 1 / (variance_ / boots + luck_);
  const double bits =
      stats::mutual_information(bad_[node], change_ * std::sqrt(std::max(0.0, gain)));
  offer({Kind::again, node, layout, boots, bits, bits / prices_.boot_s});
}

void Choice::try_layout(Node node, std::uint32_t builds) {
  for (int boots = 1; boots <= kMostPlannedLayout; ++boots) {
    const double bits =
        stats::mutual_information(bad_[node], change_ / std::sqrt(variance_ / boots + luck_));
    const double price = prices_.build_s + boots * prices_.boot_s;
    offer({Kind::layout, node, builds, 0, bits, bits / price});
  }
}

void Choice::try_probed() {
  std::map<Node, std::uint32_t> builds_of;
  for (std::size_t build = 0; build < model_.build_nodes().size(); ++build) {
    const Node node = model_.build_nodes()[build].front();
    if (node == graph_.good() || node == graph_.bad() || risk_.failed(node)) continue;
    try_again(build, builds_of[node]++);
  }
  for (const auto& [node, builds] : builds_of)
    if (builds < settings_.most_layouts && !layouts_fail_) try_layout(node, builds);
}

BootNode Choice::describe(const Option& option) const {
  const char* what = "";
  switch (option.kind) {
    case Kind::fresh:
      what = "untried";
      break;
    case Kind::unbooted:
      what = "built already";
      break;
    case Kind::again:
      what = "one more boot";
      break;
    case Kind::layout:
      what = "another code layout";
      break;
    case Kind::none:
      break;
  }
  return {option.node,
          fmt::format("{}, {:.0f} % likely to have the new level: promises {:.2f} bits", what,
                      100 * bad_[option.node], option.bits),
          option.layout};
}

/// The untried commit whose P(bad) is nearest to a half, and near failures also others around it.
std::vector<Node> Choice::candidates_in(const Classes::Class& in) const {
  const std::vector<Node>& commits = in.commits;
  std::size_t centre = commits.size();
  for (std::size_t i = 0; i < commits.size(); ++i)
    if (untried(commits[i]) &&
        (centre == commits.size() ||
         std::abs(bad_[commits[i]] - 0.5) < std::abs(bad_[commits[centre]] - 0.5)))
      centre = i;
  std::vector<Node> chosen;
  if (centre == commits.size()) return chosen;
  chosen.push_back(commits[centre]);
  if (!risk_.any()) return chosen;
  for (std::size_t away = 1; away < commits.size();
       away = away < kEachAway ? away + 1 : away + away / 2) {
    if (away <= centre && untried(commits[centre - away])) chosen.push_back(commits[centre - away]);
    if (centre + away < commits.size() && untried(commits[centre + away]))
      chosen.push_back(commits[centre + away]);
  }
  return chosen;
}

BootNode Choice::best() {
  best_ = {};
  const std::vector<double>& mass = model_.belief().mass;
  const Classes& classes = model_.classes();
  for (std::size_t k = 0; k < mass.size(); ++k)
    if (mass[k] > kWorthALook)
      for (Node node : candidates_in(classes[k])) try_new(node);
  for (Node node : built_) try_unbooted(node);
  try_probed();
  best_is_new_ = best_.kind == Kind::fresh;
  const Classes::Class& favourite = classes[model_.belief().heaviest()];
  const bool untested = std::any_of(favourite.commits.begin(), favourite.commits.end(),
                                    [this](Node node) { return untried(node); });
  if (mass[model_.belief().heaviest()] >= kNearlyAll && favourite.commits.size() > 1 && untested &&
      best_.kind != Kind::fresh && best_.kind != Kind::unbooted) {
    best_is_new_ = true;
    return inside_favourite();
  }
  return best_.rate > 0 ? describe(best_) : beside_favourite();
}

BootNode Choice::inside_favourite() const {
  const Classes::Class& in = model_.classes()[model_.belief().heaviest()];
  Node chosen = in.commits.front();
  double best_value = -1;
  for (Node node : in.commits) {
    if (!untried(node)) continue;
    const double below = static_cast<double>(in.inside[node]);
    const double value = std::min(below, in.weight - below) * (1 - risk_(node));
    if (value > best_value) {
      best_value = value;
      chosen = node;
    }
  }
  return {chosen, "inside the range that holds the change almost surely"};
}

BootNode Choice::beside_favourite() const {
  const Classes::Class& in = model_.classes()[model_.belief().heaviest()];
  std::vector<Node> bounds;
  const auto consider = [&](Node node) {
    if (model_.classes().probed(node) && !risk_.failed(node)) bounds.push_back(node);
  };
  for (auto at = in.commits.rbegin(); at != in.commits.rend(); ++at) {
    consider(*at);
    for (Node parent : graph_.parents(*at))
      if (!in.members.contains(parent)) consider(parent);
  }
  for (Node node : bounds)
    if (node != graph_.good() && node != graph_.bad())
      return {node, "beside the most suspected commits"};
  return {bounds.empty() ? graph_.bad() : bounds.front(), "beside the most suspected commits"};
}

std::vector<Node> Choice::quantiles(std::size_t count) const {
  std::vector<Node> chosen;
  for (std::size_t j = 1; j <= count; ++j) {
    const double wanted = static_cast<double>(j) / static_cast<double>(count + 1);
    Node nearest = graph_.size();
    for (Node node = graph_.boundary(); node < graph_.size(); ++node)
      if (untried(node) && std::find(chosen.begin(), chosen.end(), node) == chosen.end() &&
          (nearest == graph_.size() ||
           std::abs(bad_[node] - wanted) < std::abs(bad_[nearest] - wanted)))
        nearest = node;
    if (nearest == graph_.size()) break;
    chosen.push_back(nearest);
  }
  return chosen;
}

}  // namespace bisect_run::bisect
