#include "bisect/classes.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "support/histories.h"

namespace bisect_run::bisect {
namespace {

TEST(Classes, PartTheCandidatesByWhatProbesCanTell) {
  std::mt19937_64 random(9);
  for (int round = 0; round < 30; ++round) {
    const Graph graph(test::random_range(random, 120, 0.25));
    Classes classes(graph, {});
    std::vector<Node> probes{graph.good(), graph.bad()};
    for (int i = 0; i < 8; ++i) probes.push_back(static_cast<Node>(random() % graph.size()));
    for (Node probe : probes) classes.split(probe);
    // By hand: the signature of every candidate.
    std::map<std::vector<bool>, std::set<Node>> expected;
    for (Node node = graph.boundary(); node < graph.size(); ++node) {
      std::vector<bool> signature;
      for (Node probe : probes) signature.push_back(graph.ancestors(probe).contains(node));
      expected[signature].insert(node);
    }
    ASSERT_EQ(classes.size(), expected.size());
    double weight = 0;
    for (std::size_t k = 0; k < classes.size(); ++k) {
      std::vector<bool> signature;
      for (Node probe : probes) signature.push_back(classes.bad(k, probe));
      const std::set<Node> members(classes[k].commits.begin(), classes[k].commits.end());
      EXPECT_EQ(members, expected.at(signature));
      weight += classes[k].weight;
    }
    EXPECT_DOUBLE_EQ(weight, classes.total_weight());
  }
}

TEST(Classes, CountsSurviveSplits) {
  std::mt19937_64 random(10);
  for (int round = 0; round < 20; ++round) {
    const Graph graph(test::random_range(random, 300, 0.2));
    NodeSet light(graph.size());
    for (Node node = 1; node < graph.size(); ++node)
      if (random() % 4 == 0) light.insert(node);
    Classes classes(graph, light);
    classes.count({0});
    for (int probe = 0; probe < 6; ++probe) {
      classes.split(static_cast<Node>(random() % graph.size()));
      if (probe == 3) classes.forget(0);
    }
    std::vector<std::size_t> all;
    for (std::size_t k = 0; k < classes.size(); ++k) all.push_back(k);
    classes.count(all);
    for (Node node = 0; node < graph.size(); node += 5) {
      const NodeSet ancestors = graph.ancestors(node);
      for (std::size_t k = 0; k < classes.size(); ++k) {
        double expected = 0;
        for (Node member : classes[k].commits)
          if (ancestors.contains(member)) expected += light.contains(member) ? 1e-3 : 1;
        EXPECT_NEAR(classes[k].inside[node], expected, 1e-3);
      }
    }
  }
}

TEST(Classes, BoundaryNodesAreLightSuspects) {
  const Graph graph(test::make_range({{}, {}, {1}, {0, 2}}, 2));
  Classes classes(graph, {});
  EXPECT_NEAR(classes.total_weight(), 2.001, 1e-12);
  classes.split(1);
  ASSERT_EQ(classes.size(), 2U);
  EXPECT_TRUE(classes[0].commits.empty());
  EXPECT_TRUE(classes[0].members.contains(1));
}

TEST(Classes, ALineOf65536IsSplitIntoSegments) {
  const Graph graph(test::linear_range(65'536));
  Classes classes(graph, {});
  classes.count({0});
  for (Node probe : {0U, 65'536U, 32'768U, 16'384U, 16'385U}) classes.split(probe);
  ASSERT_EQ(classes.size(), 4U);
  std::multiset<std::size_t> sizes;
  for (std::size_t k = 0; k < classes.size(); ++k) sizes.insert(classes[k].commits.size());
  EXPECT_EQ(sizes, (std::multiset<std::size_t>{1, 16'383, 16'384, 32'768}));
}

}  // namespace
}  // namespace bisect_run::bisect
