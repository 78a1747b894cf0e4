#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "bisect/graph.h"
#include "bisect/strategy.h"

// A lab without machines: drives a strategy to its conclusion in a world given by functions.

namespace bisect_run::test {

using bisect::Node;

struct World {
  /// Level of a node (natural logarithm); time in seconds.
  std::function<double(Node node, double time_s)> level;
  /// Empty: the node can be built and booted.
  std::function<std::string(Node)> fails = [](Node) { return std::string(); };
  double noise = 0.02;  ///< standard deviation of a boot
  double build_s = 240;
  double boot_s = 30;
};

/// Slower by `effect` (logarithm) in `culprit` and everything that contains it.
inline World one_change(const bisect::Graph& graph, Node culprit, double effect,
                        double noise = 0.02) {
  std::vector<bool> has(graph.size(), false);
  has[culprit] = true;
  for (Node node = culprit; node < graph.size(); ++node)
    for (Node parent : graph.parents(node)) has[node] = has[node] || has[parent];
  World world;
  world.noise = noise;
  world.level = [has, effect](Node node, double) { return has[node] ? -effect : 0.0; };
  return world;
}

struct Played {
  bisect::Conclusion conclusion;
  bisect::Evidence evidence;
  std::vector<Node> order;  ///< of all boots and failures
  int builds = 0;
  int boots = 0;
  int failures = 0;
  double seconds = 0;
};

/// Plays until the conclusion, or at most `limit` actions (then the conclusion's reason says so).
inline Played play(bisect::Strategy& strategy, const World& world, std::uint64_t seed,
                   int limit = 2000) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Played played;
  std::map<Node, std::uint32_t> build_of;
  for (int step = 0; step < limit; ++step) {
    const bisect::Action action = strategy.next(played.evidence);
    if (const auto* end = std::get_if<bisect::Conclusion>(&action)) {
      played.conclusion = *end;
      return played;
    }
    const Node node = std::get<bisect::BootNode>(action).node;
    played.order.push_back(node);
    if (!build_of.contains(node)) {
      played.seconds += world.build_s;
      ++played.builds;
      const std::string reason = world.fails(node);
      if (!reason.empty()) {
        ++played.failures;
        played.evidence.skipped.push_back({node, reason});
        continue;
      }
      build_of.emplace(node, static_cast<std::uint32_t>(build_of.size()));
      played.evidence.built.push_back(node);
    }
    played.seconds += world.boot_s;
    ++played.boots;
    const double y = world.level(node, played.seconds) + world.noise * normal(random);
    played.evidence.boots.push_back({node, build_of.at(node), y, played.seconds});
  }
  played.conclusion.reason = "no conclusion within the limit of the test";
  return played;
}

}  // namespace bisect_run::test
