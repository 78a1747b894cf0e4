#pragma once

#include <algorithm>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "bisect/strategy.h"
#include "support/bisect_world.h"

// One strategy in one world of the decision benchmark, and the sums over many.

namespace bisect_run::test {

struct RunResult {
  enum class Kind { right, smaller, wrong, set, wrong_set, undecided, refused, none };
  Kind kind = Kind::none;
  int builds = 0, boots = 0;
  /// Of the builds: at other addresses, and those of them that were never booted; counted by
  /// play_engine.
  int layouts = 0, idle_layouts = 0;
  double cost = 0, wall = 0;
  bool two_changes = false;
  bool all_changes = false;   ///< every commit that changes the level was named, or is in a set
  bool false_change = false;  ///< a further change was named that is none
  double slowest_s = 0;       ///< longest processor time one decision took
};

/// What the answer and its further changes say about all changes of the world.
inline void judge_all_changes(const bisect::Conclusion& end, const BisectWorld& world,
                              RunResult& result) {
  std::vector<std::vector<Node>> named{end.nodes};
  for (const bisect::FurtherChange& change : end.further) named.push_back(change.nodes);
  const auto holds = [](const std::vector<Node>& nodes, Node node) {
    return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
  };
  result.all_changes = true;
  for (Node change : world.changes())
    result.all_changes =
        result.all_changes &&
        std::any_of(named.begin(), named.end(), [&](auto& n) { return holds(n, change); });
  for (std::size_t i = 1; i < named.size(); ++i)
    result.false_change =
        result.false_change || std::none_of(world.changes().begin(), world.changes().end(),
                                            [&](Node change) { return holds(named[i], change); });
}

/// What the end of a run is worth.
inline void judge(const bisect::Conclusion& end, const BisectWorld& world, RunResult& result) {
  using Kind = bisect::Conclusion::Kind;
  bool holds = false, changes = false;
  for (Node node : end.nodes) {
    holds = holds || world.right(node);
    changes = changes || std::ranges::count(world.changes(), node) > 0;
  }
  const bool sure = !end.reason.starts_with("undecided");
  switch (end.kind) {
    case Kind::commit:
      result.kind = holds     ? RunResult::Kind::right
                    : changes ? RunResult::Kind::smaller
                              : RunResult::Kind::wrong;
      break;
    case Kind::set:
      result.kind = !sure   ? RunResult::Kind::undecided
                    : holds ? RunResult::Kind::set
                            : RunResult::Kind::wrong_set;
      break;
    case Kind::refused:
      result.kind = RunResult::Kind::refused;
      break;
    case Kind::none:
      result.kind = RunResult::Kind::none;
      break;
  }
  result.two_changes = end.two_changes.value_or(0) > 0.5;
  judge_all_changes(end, world, result);
}

/// What a run cost that ended at the commits after `good` up to `bad` of a linear history, and what
/// that is worth.
inline RunResult ended(const BisectWorld& world, Node good, Node bad) {
  RunResult result;
  bool holds = false;
  for (Node node = good + 1; node <= bad; ++node) holds = holds || world.right(node);
  const bool one = bad - good == 1;
  result.kind = holds ? (one ? RunResult::Kind::right : RunResult::Kind::set)
                      : (one ? RunResult::Kind::wrong : RunResult::Kind::wrong_set);
  result.builds = world.builds;
  result.boots = world.boots;
  result.cost = world.cost();
  result.wall = world.now();
  return result;
}

/// Plays a Strategy. `ahead` kernels are built at once where the strategy can name them.
inline RunResult play(bisect::Strategy& strategy, BisectWorld& world, std::size_t ahead = 1) {
  RunResult result;
  bisect::Evidence evidence;
  std::map<std::pair<Node, std::uint32_t>, std::uint32_t> kernels;
  const auto note_built = [&](Node node, bool works) {
    if (works) {
      kernels.emplace(std::pair(node, 0U), static_cast<std::uint32_t>(kernels.size()));
      evidence.built.push_back(node);
    } else {
      evidence.skipped.push_back({node, "does not build"});
    }
  };
  for (int step = 0; step < 5000; ++step) {
    const std::clock_t begin = std::clock();
    const bisect::Action action = strategy.next(evidence);
    const double took = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    result.slowest_s = std::max(result.slowest_s, took);
    if (const auto* end = std::get_if<bisect::Conclusion>(&action)) {
      judge(*end, world, result);
      break;
    }
    const auto& boot = std::get<bisect::BootNode>(action);
    if (!kernels.contains({boot.node, boot.layout})) {
      if (boot.layout > 0) {
        world.build(boot.node);
        kernels.emplace(std::pair(boot.node, boot.layout),
                        static_cast<std::uint32_t>(kernels.size()));
      } else {
        std::vector<Node> together{boot.node};
        if (ahead > 1 && world.builds >= 2) {
          const std::vector<Node> chosen = strategy.prebuild(evidence, ahead);
          if (!chosen.empty()) together = chosen;
        }
        for (Node node : together) {
          if (node == together.front())
            note_built(node, world.build(node));
          else
            note_built(node, world.build_beside(node));
        }
        if (together.size() > 1 || !kernels.contains({boot.node, 0})) continue;
      }
    }
    const double y = world.boot(boot.node, boot.layout);
    evidence.boots.push_back({boot.node, kernels.at({boot.node, boot.layout}), y, world.now()});
  }
  result.builds = world.builds;
  result.boots = world.boots;
  result.cost = world.cost();
  result.wall = world.now();
  return result;
}

/// Sums over runs. `smaller`: a commit that does change the level, beside one that changes it more.
struct Tally {
  int runs = 0, right = 0, smaller = 0, wrong = 0, set = 0, undecided = 0, refused = 0, flagged = 0;
  int all_changes = 0, false_changes = 0;
  double builds = 0, boots = 0, cost = 0, wall = 0, slowest_s = 0;

  void add(const RunResult& run) {
    ++runs;
    switch (run.kind) {
      case RunResult::Kind::right:
        ++right;
        break;
      case RunResult::Kind::smaller:
        ++smaller;
        break;
      case RunResult::Kind::wrong:
      case RunResult::Kind::wrong_set:
        ++wrong;
        break;
      case RunResult::Kind::set:
        ++set;
        break;
      case RunResult::Kind::refused:
        ++refused;
        break;
      default:
        ++undecided;
    }
    flagged += run.two_changes ? 1 : 0;
    all_changes += run.all_changes ? 1 : 0;
    false_changes += run.false_change ? 1 : 0;
    builds += run.builds;
    boots += run.boots;
    cost += run.cost;
    wall += run.wall;
    slowest_s = std::max(slowest_s, run.slowest_s);
  }
  double percent(int count) const { return 100.0 * count / runs; }
  double mean(double sum) const { return sum / runs; }
};

}  // namespace bisect_run::test
