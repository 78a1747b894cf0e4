#include "bisect/posterior_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stats/distributions.h"
#include "stats/group_levels.h"

namespace bisect_run::bisect {
namespace {

constexpr double kSetMass = 0.95;
constexpr std::size_t kOwnLevelBoots = 6;
constexpr double kOwnLevel = 0.12;  // of the way, from either side
constexpr double kMostOfIt = 0.75;  // an answer that explains less of the ends' difference says so

void set_interval(Conclusion& conclusion, double delta, double half) {
  conclusion.delta = delta;
  conclusion.delta_low = delta - half;
  conclusion.delta_high = delta + half;
}

void add_effect(Conclusion& conclusion, const PosteriorModel& model, std::size_t k) {
  const Belief& belief = model.belief();
  const double freedom =
      2 * model.calibration().prior().a0 + static_cast<double>(model.steps().size());
  const double quantile = stats::student_quantile(0.975, freedom).value_or(2);
  set_interval(conclusion, belief.delta[k], quantile * std::sqrt(belief.delta_var[k]));
  conclusion.two_changes = belief.two_changes;
  const stats::EndsLook& ends = model.calibration().look();
  conclusion.rest = ends.delta - belief.delta[k];
  conclusion.rest_error = std::sqrt(ends.error * ends.error + belief.delta_var[k]);
}

/// Boots of a node's builds.
std::size_t boots_of(const PosteriorModel& model, Node node) {
  std::size_t boots = 0;
  for (std::size_t build = 0; build < model.build_nodes().size(); ++build)
    if (model.build_nodes()[build].front() == node) boots += model.build_boots()[build];
  return boots;
}

/// Where the node stands between the levels of the others, were the change in class k.
std::optional<stats::Position> stands_at(const PosteriorModel& model, std::size_t k, Node node) {
  std::vector<std::size_t> group_of;
  for (const std::vector<Node>& nodes : model.build_nodes()) {
    const std::size_t side = model.classes().bad(k, nodes.front()) ? 1 : 0;
    group_of.push_back(nodes.front() == node ? 2 : side);
  }
  const auto levels =
      stats::fit_groups(model.best_cell(), group_of, 3, model.calibration().prior());
  if (!levels) return std::nullopt;
  return stats::position(*levels, 0, 1, 2);
}

/// The first commit with a level of its own between good and bad (section 11, diagnostic).
std::optional<Node> in_between(const Graph& graph, const PosteriorModel& model, std::size_t k) {
  for (const std::vector<Node>& nodes : model.build_nodes()) {
    const Node node = nodes.front();
    if (node == graph.good() || node == graph.bad() || boots_of(model, node) < kOwnLevelBoots)
      continue;
    const auto at = stands_at(model, k, node);
    if (at && at->at - 3 * at->error > kOwnLevel && at->at + 3 * at->error < 1 - kOwnLevel)
      return node;
  }
  return std::nullopt;
}

std::string remarks(const PosteriorModel& model, std::size_t k) {
  if (model.belief().two_changes > 0.5)
    return "the level changed more than once; this is the larger change";
  const double share = model.belief().delta[k] / model.calibration().look().delta;
  if (share < kMostOfIt)
    return fmt::format("explains {:.0f} % of the difference between the ends", 100 * share);
  return "";
}

}  // namespace

Conclusion refusal(const Calibration& calibration) {
  Conclusion conclusion;
  conclusion.kind = Conclusion::Kind::refused;
  conclusion.reason = calibration.reason();
  set_interval(conclusion, calibration.look().delta,
               calibration.interval_quantile() * calibration.look().error);
  return conclusion;
}

Conclusion answer(const Graph& graph, const PosteriorModel& model,
                  const std::map<Node, std::string>& failures) {
  const std::size_t k = model.belief().heaviest();
  const Classes::Class& favourite = model.classes()[k];
  Conclusion conclusion;
  add_effect(conclusion, model, k);
  conclusion.confidence = std::min(1.0, model.belief().mass[k]);
  if (favourite.commits.empty()) {
    conclusion.nodes = favourite.members.nodes();
    conclusion.reason =
        "an ancestor of GOOD already has the new level: it changed back before GOOD, and came in "
        "again with a branch made before that; search between that ancestor and GOOD with "
        "--find-fix";
    return conclusion;
  }
  conclusion.nodes = favourite.commits;
  conclusion.kind = Conclusion::Kind::commit;
  const auto failed = std::count_if(favourite.commits.begin(), favourite.commits.end(),
                                    [&](Node node) { return failures.contains(node); });
  if (favourite.commits.size() > 1 || failed > 0) {
    conclusion.kind = Conclusion::Kind::set;
    conclusion.reason = fmt::format("{} of these commits cannot be tested", failed);
    return conclusion;
  }
  for (Node parent : graph.parents(favourite.commits.front())) {
    if (!failures.contains(parent)) continue;
    conclusion.kind = Conclusion::Kind::set;
    conclusion.reason = "a parent of the commit cannot be tested";
    if (graph.is_candidate(parent)) conclusion.nodes.push_back(parent);
  }
  std::sort(conclusion.nodes.begin(), conclusion.nodes.end());
  if (conclusion.kind == Conclusion::Kind::commit) conclusion.reason = remarks(model, k);
  conclusion.in_between = in_between(graph, model, k);
  return conclusion;
}

Conclusion undecided(const PosteriorModel& model, const std::string& why) {
  const Belief& belief = model.belief();
  const Classes& classes = model.classes();
  const auto density = [&](std::size_t k) { return belief.mass[k] / classes[k].weight; };
  std::vector<std::size_t> order(classes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return density(a) > density(b); });
  Conclusion conclusion;
  conclusion.kind = Conclusion::Kind::set;
  double held = 0;
  for (std::size_t k : order) {
    if (held >= kSetMass) break;
    for (Node node : classes[k].commits) {
      if (held >= kSetMass) break;
      conclusion.nodes.push_back(node);
      held += density(k);
    }
  }
  std::sort(conclusion.nodes.begin(), conclusion.nodes.end());
  conclusion.confidence = std::min(1.0, held);
  conclusion.reason = why;
  add_effect(conclusion, model, belief.heaviest());
  return conclusion;
}

}  // namespace bisect_run::bisect
