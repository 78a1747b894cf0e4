#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "bisect/skip_risk.h"
#include "stats/mutual_information.h"
#include "support/bisect_contest.h"
#include "support/known_levels.h"
#include "support/segment_posterior.h"

// Strategies D and E of the decision benchmark (statistics.md, section 15): a posterior over
// commits that takes the levels of five boots an end for the truth. On linear histories only.

namespace bisect_run::test {

class KnownLevelsSearch {
 public:
  /// `tracks`: the machine's level is followed by control boots (E), else it is held to be
  /// constant (D).
  KnownLevelsSearch(BisectWorld& world, const bisect::Graph& graph, bool tracks)
      : world_(world),
        graph_(graph),
        levels_(know_levels(world, graph.bad())),
        controls_(graph.bad(), levels_),
        posterior_(graph.bad()),
        risk_(graph, {}) {
    if (tracks) tracked_.emplace(world.now(), levels_.variance);
  }

  RunResult play() {
    while (world_.boots < kMostBoots) {
      const std::vector<Segment> segments = posterior_.segments();
      const Segment& favourite = *std::ranges::max_element(segments, {}, &Segment::mass);
      if (favourite.mass >= kSure && !testable(favourite))
        return ended(world_, favourite.before, favourite.last);
      const Plan plan = choose(segments);
      if (plan.boots == 0) break;
      if (plan.fresh && !world_.build(plan.at)) {
        failures_.push_back(plan.at);
        risk_ = bisect::SkipRisk(graph_, failures_);
        continue;
      }
      for (int boot = 0; boot < plan.boots; ++boot) measure(plan.at);
    }
    RunResult result = ended(world_, 0, graph_.bad());
    result.kind = RunResult::Kind::undecided;
    return result;
  }

 private:
  using Segment = SegmentPosterior::Segment;
  static constexpr int kMostBoots = 600;
  static constexpr double kSure = 0.99;
  static constexpr double kWorthALook = 1e-4;  // mass of a segment
  static constexpr int kMostPlanned = 8;       // boots of a new commit

  struct Plan {
    Node at = 0;
    int boots = 0;
    bool fresh = false;  ///< needs a build
    double rate = 0;     ///< bits per second
  };

  bool untried(Node node) const {
    return !risk_.failed(node) && !posterior_.probes().contains(node);
  }
  bool testable(const Segment& segment) const {
    for (Node node = segment.before + 1; node < segment.last; ++node)
      if (!risk_.failed(node)) return true;
    return false;
  }
  double level_variance() const { return tracked_ ? tracked_->variance() : 0; }

  /// ln of a Student density with 5 degrees of freedom, up to a constant.
  static double student(double r) { return -3 * std::log1p(r * r / 5); }

  void measure(Node node) {
    if (tracked_) follow_level();
    double y = world_.boot(node);
    if (tracked_) {
      tracked_->advance(world_.now());
      y -= tracked_->level();
    }
    const double sd = std::sqrt(1.2 * levels_.variance + level_variance());
    posterior_.add(node, student((y - levels_.bad) / sd) - student((y - levels_.good) / sd));
  }
  void follow_level() {
    tracked_->advance(world_.now());
    if (!tracked_->stale()) return;
    const double offset = controls_.boot(world_);
    tracked_->advance(world_.now());
    tracked_->observe(offset);
  }

  /// Section 8 with known levels, without luck of builds and hence without layouts.
  Plan choose(const std::vector<Segment>& segments) const {
    const double change =
        std::abs(levels_.bad - levels_.good) / std::sqrt(levels_.variance + level_variance());
    Plan best;
    for (const Segment& segment : segments) {
      if (segment.mass > kWorthALook)
        for (Node node : candidates_in(segment)) try_new(node, segment.bad(node), change, best);
      if (segment.last != graph_.bad())
        try_again(segment.last, segment.below + segment.mass, change, best);
    }
    return best;
  }
  /// `bad`: P(the commit is bad); `change` in standard deviations of a boot.
  void try_new(Node node, double bad, double change, Plan& best) const {
    const WorldOptions& world = world_.options();
    const double works = 1 - risk_(node);
    for (int boots = 1; boots <= kMostPlanned; ++boots) {
      const double bits = stats::mutual_information(bad, change * std::sqrt(boots));
      const double rate = works * bits / (world.build_s + works * boots * world.boot_s);
      if (rate > best.rate) best = {node, boots, true, rate};
    }
  }
  void try_again(Node node, double bad, double change, Plan& best) const {
    const double rate = stats::mutual_information(bad, change) / world_.options().boot_s;
    if (rate > best.rate) best = {node, 1, false, rate};
  }

  /// The middle of the segment, and near failures also others around it.
  std::vector<Node> candidates_in(const Segment& segment) const {
    std::vector<Node> chosen;
    if (segment.size() < 2) return chosen;
    const Node centre = segment.centre();
    if (untried(centre)) chosen.push_back(centre);
    if (!risk_.any()) return chosen;
    for (Node away = 1; away < segment.size(); away = away < 150 ? away + 1 : away + away / 2) {
      if (centre > segment.before + away && untried(centre - away)) chosen.push_back(centre - away);
      if (centre + away < segment.last && untried(centre + away)) chosen.push_back(centre + away);
    }
    return chosen;
  }

  BisectWorld& world_;
  const bisect::Graph& graph_;
  KnownLevels levels_;
  Controls controls_;
  SegmentPosterior posterior_;
  bisect::SkipRisk risk_;
  std::vector<Node> failures_;
  std::optional<TrackedLevel> tracked_;
};

/// D: the posterior with known levels.
inline RunResult play_known_levels(BisectWorld& world, const bisect::Graph& graph) {
  return KnownLevelsSearch(world, graph, false).play();
}

/// E: the same with a tracked level.
inline RunResult play_tracked_levels(BisectWorld& world, const bisect::Graph& graph) {
  return KnownLevelsSearch(world, graph, true).play();
}

}  // namespace bisect_run::test
