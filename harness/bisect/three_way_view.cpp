#include "bisect/three_way_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stats/distributions.h"

namespace bisect_run::bisect {
namespace {

constexpr double kSurest = 0.999;   // no rule this simple is surer of itself
constexpr double kMostOfIt = 0.75;  // an answer that explains less of the ends' difference says so

}  // namespace

ThreeWayView::ThreeWayView(const Graph& graph, const ThreeWaySettings& settings, double limit,
                           const Evidence& evidence)
    : graph_(graph), settings_(settings), limit_(limit), readings_(evidence) {
  const Boots& good = readings_.of(graph.good());
  const Boots& bad = readings_.of(graph.bad());
  ends_ = test_ends(good, bad, settings);
  if (calibrated()) levels_ = estimate_levels(good, bad, ends_.pairs, settings);
}

Likeness ThreeWayView::likeness(Node node) const {
  Likeness likeness = liken(readings_.of(node), levels_, limit_);
  if (node == graph_.good() || node == graph_.bad()) {
    likeness.outcome = node == graph_.bad() ? Outcome::bad : Outcome::good;
    likeness.decided = ends_.pairs;
  }
  return likeness;
}

bool ThreeWayView::spent(Node node) const {
  if (readings_.skip_reason(node)) return true;
  return readings_.of(node).size() >= static_cast<std::size_t>(settings_.most_boots) &&
         likeness(node).outcome == Outcome::undecided;
}

int ThreeWayView::confirmations(Node node) const {
  const Likeness now = likeness(node);
  if (now.decided == 0) return 0;
  return static_cast<int>(readings_.of(node).size() - now.decided);
}

std::vector<Node> ThreeWayView::good_parents(const NodeSet& members) const {
  std::vector<Node> good;
  members.for_each([&](Node member) {
    for (Node parent : graph_.parents(member)) {
      const bool known = std::find(good.begin(), good.end(), parent) != good.end();
      if (!known && !members.contains(parent) && likeness(parent).outcome == Outcome::good)
        good.push_back(parent);
    }
  });
  return good;
}

/// Difference between the answer and its parents (or GOOD), variance pooled over all kernels in it.
void ThreeWayView::add_effect(Node top, const std::vector<Node>& parents,
                              Conclusion& conclusion) const {
  double squares = levels_.variance * levels_.freedom;
  double freedom = levels_.freedom;
  const auto mean_of = [&](const std::vector<Node>& nodes, double& boots) {
    double sum = 0;
    for (Node node : nodes)
      for (const Reading& boot : readings_.of(node)) sum += levels_.settled(boot), ++boots;
    const double mean = sum / boots;
    for (Node node : nodes)
      for (const Reading& boot : readings_.of(node))
        squares += std::pow(levels_.settled(boot) - mean, 2);
    freedom += boots - 1;
    return mean;
  };
  double boots_top = 0;
  double boots_below = 0;
  const double above = mean_of({top}, boots_top);
  const double below =
      mean_of(parents.empty() ? std::vector<Node>{graph_.good()} : parents, boots_below);
  const double error = std::sqrt(squares / freedom * (1 / boots_top + 1 / boots_below));
  const double half = stats::student_quantile(0.975, freedom).value_or(2) * error;
  conclusion.delta = above - below;
  conclusion.delta_low = *conclusion.delta - half;
  conclusion.delta_high = *conclusion.delta + half;
}

Conclusion ThreeWayView::conclude(const NodeSet& members, Node top, std::string reason) const {
  Conclusion conclusion;
  conclusion.nodes = members.nodes();
  const bool named = conclusion.nodes.size() == 1 && reason.empty();
  conclusion.kind = named ? Conclusion::Kind::commit : Conclusion::Kind::set;
  conclusion.reason = std::move(reason);
  const std::vector<Node> parents = good_parents(members);
  double sure = 1;
  for (Node node : parents)
    if (node != graph_.good()) sure /= 1 + std::exp(-std::abs(likeness(node).ratio));
  if (top != graph_.bad()) sure /= 1 + std::exp(-std::abs(likeness(top).ratio));
  conclusion.confidence = std::min(sure, kSurest);
  add_effect(top, parents, conclusion);
  const double share = *conclusion.delta / levels_.delta();
  if (named && share < kMostOfIt)
    conclusion.reason =
        fmt::format("explains {:.0f} % of the difference between the ends", 100 * share);
  return conclusion;
}

}  // namespace bisect_run::bisect
