#include "bisect/graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "support/histories.h"

namespace bisect_run::bisect {
namespace {

/// Ancestors by plain recursion.
NodeSet slow_ancestors(const Range& range, Node node) {
  NodeSet reached(range.nodes.size());
  const std::function<void(Node)> visit = [&](Node next) {
    if (reached.contains(next)) return;
    reached.insert(next);
    for (Node parent : range.parents[next]) visit(parent);
  };
  visit(node);
  return reached;
}

TEST(NodeSet, HoldsWhatWasPutIn) {
  NodeSet set(130);
  for (Node node : {0U, 63U, 64U, 129U}) set.insert(node);
  set.erase(64);
  EXPECT_EQ(set.nodes(), (std::vector<Node>{0, 63, 129}));
  EXPECT_EQ(set.count(), 3U);
  NodeSet other(130);
  other.insert(63);
  NodeSet both = set;
  both &= other;
  EXPECT_EQ(both.nodes(), std::vector<Node>{63});
  set -= other;
  EXPECT_EQ(set.nodes(), (std::vector<Node>{0, 129}));
}

TEST(Graph, AncestorsAndCountsMatchBruteForce) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 60; ++round) {
    const Range range = test::random_range(random, 20 + round * 20, 0.05 + 0.3 * (round % 5) / 5);
    const Graph graph(range);
    NodeSet members(graph.size());
    for (Node node = graph.boundary(); node < graph.size(); ++node)
      if (random() % 3 != 0) members.insert(node);
    const auto counts = count_ancestors(graph, members);
    for (Node node = 0; node < graph.size(); node += static_cast<Node>(1 + random() % 7)) {
      NodeSet expected = slow_ancestors(range, node);
      EXPECT_EQ(graph.ancestors(node), expected);
      expected &= members;
      EXPECT_EQ(counts[node], expected.count());
    }
  }
}

TEST(Graph, ChildrenAreTheInverseOfParents) {
  std::mt19937_64 random(3);
  const Range range = test::random_range(random, 200);
  const Graph graph(range);
  std::size_t links = 0;
  for (Node node = 0; node < graph.size(); ++node)
    for (Node child : graph.children(node)) {
      const auto parents = graph.parents(child);
      EXPECT_NE(std::find(parents.begin(), parents.end(), node), parents.end());
      ++links;
    }
  std::size_t expected = 0;
  for (const auto& parents : range.parents) expected += parents.size();
  EXPECT_EQ(links, expected);
}

TEST(Graph, MidpointOfALineIsItsMiddle) {
  const Graph graph(test::linear_range(100));
  const NodeSet open = graph.candidates();
  EXPECT_EQ(midpoint(graph, open, NodeSet(graph.size())), 50U);
  NodeSet excluded(graph.size());
  excluded.insert(50);
  EXPECT_EQ(midpoint(graph, open, excluded), 49U);
  EXPECT_FALSE(midpoint(graph, open, open));
}

TEST(Graph, DistanceCountsLinksBothWays) {
  // 0-1-2-3-6, 1-4-5-6
  const Graph graph(test::make_range({{}, {0}, {1}, {2}, {1}, {4}, {3, 5}}));
  const std::vector<Node> sources{3};
  const auto distance = link_distance(graph, sources);
  EXPECT_EQ(distance, (std::vector<std::uint32_t>{3, 2, 1, 0, 3, 2, 1}));
}

// A quadratic walk over the nodes takes minutes and meets the time limit of the suite; how fast it
// is, bisect_speed says.
TEST(Graph, CountsTheAncestorsOf75000Commits) {
  std::mt19937_64 random(5);
  const Graph graph(test::random_range(random, 75'000, 0.08));
  const auto counts = count_ancestors(graph, graph.candidates());
  EXPECT_EQ(counts[graph.bad()], graph.size() - graph.boundary());
}

}  // namespace
}  // namespace bisect_run::bisect
