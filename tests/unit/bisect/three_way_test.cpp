#include "bisect/three_way.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "support/histories.h"
#include "support/simulated_lab.h"

namespace bisect_run::bisect {
namespace {

using test::one_change;
using test::Played;
using test::World;
using Kind = Conclusion::Kind;

TEST(ThreeWay, FindsEveryCulpritOfALine) {
  const Graph graph(test::linear_range(60));
  for (Node culprit = 1; culprit <= 60; ++culprit) {
    const auto strategy = make_three_way(graph);
    const Played played = test::play(*strategy, one_change(graph, culprit, 0.5), culprit);
    ASSERT_EQ(played.conclusion.kind, Kind::commit) << played.conclusion.reason;
    EXPECT_EQ(played.conclusion.nodes, std::vector<Node>{culprit});
    EXPECT_LE(played.builds, 2 + 6);
    EXPECT_LE(played.boots, 6 + 6 * 2 + 6 + 2);  // 2: one look at the ends on the way
    EXPECT_NEAR(played.conclusion.delta.value(), -0.5, 0.1);
    EXPECT_LT(played.conclusion.delta_low.value(), played.conclusion.delta.value());
    EXPECT_LT(played.conclusion.delta_high.value(), 0);
    EXPECT_GT(played.conclusion.confidence.value(), 0.99);
  }
}

TEST(ThreeWay, FindsCulpritsInHistoriesWithMerges) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 60; ++round) {
    const Range range = test::random_range(random, 150, 0.25);
    const Graph graph(range);
    const Node culprit = 1 + static_cast<Node>(random() % (graph.size() - 1));
    const auto strategy = make_three_way(graph);
    const Played played = test::play(*strategy, one_change(graph, culprit, 0.7), round);
    ASSERT_EQ(played.conclusion.kind, Kind::commit) << round << ": " << played.conclusion.reason;
    ASSERT_EQ(played.conclusion.nodes, std::vector<Node>{culprit}) << round;
    // Case C7: every parent was measured, and after it more than once.
    for (Node parent : graph.parents(culprit))
      EXPECT_GE(std::count(played.order.begin(), played.order.end(), parent), 4) << round;
  }
}

TEST(ThreeWay, C23BlamesAMergeOnlyAfterAllItsParents) {
  // A semantic conflict: both parents of 6 are good, the merge is bad.
  const Graph graph(test::make_range({{}, {0}, {1}, {1}, {2}, {3}, {4, 5}, {6}}));
  const auto strategy = make_three_way(graph);
  const Played played = test::play(*strategy, one_change(graph, 6, 0.5), 1);
  ASSERT_EQ(played.conclusion.nodes, std::vector<Node>{6});
  EXPECT_EQ(played.conclusion.kind, Kind::commit);
  for (Node parent : {4U, 5U})
    EXPECT_NE(std::find(played.order.begin(), played.order.end(), parent), played.order.end());
}

TEST(ThreeWay, TestsBoundaryParentsToo) {
  // 1 lies outside (an ancestor of GOOD); 2 comes from it and is merged in 3.
  const Graph graph(test::make_range({{}, {}, {1}, {0, 2}}, 2));
  const auto strategy = make_three_way(graph);
  const Played played = test::play(*strategy, one_change(graph, 2, 0.5), 1);
  EXPECT_EQ(played.conclusion.kind, Kind::commit);
  EXPECT_EQ(played.conclusion.nodes, std::vector<Node>{2});
  EXPECT_GE(std::count(played.order.begin(), played.order.end(), 1U), 4);
}

TEST(ThreeWay, ABadAncestorOfGoodIsNoCulprit) {
  const Graph graph(test::make_range({{}, {}, {1}, {0, 2}}, 2));
  World world;
  world.level = [](Node node, double) { return node == 0 ? 0.0 : -0.5; };
  const auto strategy = make_three_way(graph);
  const Played played = test::play(*strategy, world, 1);
  EXPECT_EQ(played.conclusion.kind, Kind::none);
  EXPECT_NE(played.conclusion.reason.find("--find-fix"), std::string::npos);
}

TEST(ThreeWay, C2OneLuckyReadingDoesNotDecide) {
  const Graph graph(test::linear_range(64));
  World world = one_change(graph, 20, 0.3);
  // The first boot of the first probe of the middle reads like GOOD.
  const auto base = world.level;
  world.level = [base, first = true](Node node, double time) mutable {
    if (node != 32 || !first) return base(node, time);
    first = false;
    return 0.0;
  };
  const auto strategy = make_three_way(graph);
  const Played played = test::play(*strategy, world, 4);
  EXPECT_EQ(played.conclusion.kind, Kind::commit);
  EXPECT_EQ(played.conclusion.nodes, std::vector<Node>{20});
}

TEST(ThreeWay, C6LeavesALongBrokenStretchInAFewSteps) {
  const Graph graph(test::linear_range(4000));
  World world = one_change(graph, 700, 0.5);
  world.fails = [](Node node) { return node >= 1500 && node <= 3000 ? "does not compile" : ""; };
  const auto strategy = make_three_way(graph);
  const Played played = test::play(*strategy, world, 4);
  EXPECT_EQ(played.conclusion.nodes, std::vector<Node>{700});
  EXPECT_LE(played.failures, 8);
}

TEST(ThreeWay, C6ACulpritInsideTheStretchGivesTheSet) {
  const Graph graph(test::linear_range(60));
  World world = one_change(graph, 31, 0.5);
  world.fails = [](Node node) { return node >= 30 && node <= 32 ? "panics at boot" : ""; };
  const auto strategy = make_three_way(graph);
  const Played played = test::play(*strategy, world, 4);
  ASSERT_EQ(played.conclusion.kind, Kind::set);
  EXPECT_EQ(played.conclusion.nodes, (std::vector<Node>{30, 31, 32, 33}));
  EXPECT_FALSE(played.conclusion.reason.empty());
}

TEST(ThreeWay, C7TheParentOfTheAnswerCannotBeBuilt) {
  const Graph graph(test::linear_range(60));
  World world = one_change(graph, 31, 0.5);
  world.fails = [](Node node) { return node == 30 ? "does not compile" : ""; };
  const auto strategy = make_three_way(graph);
  const Played played = test::play(*strategy, world, 4);
  EXPECT_EQ(played.conclusion.kind, Kind::set);
  EXPECT_EQ(played.conclusion.nodes, (std::vector<Node>{30, 31}));
}

TEST(ThreeWay, SkipBudgetEndsTheSearchWithASet) {
  const Graph graph(test::linear_range(2000));
  World world = one_change(graph, 900, 0.5);
  world.fails = [](Node node) { return node > 0 && node < 2000 ? "does not compile" : ""; };
  const auto strategy = make_three_way(graph);
  const Played played = test::play(*strategy, world, 4);
  EXPECT_EQ(played.conclusion.kind, Kind::set);
  EXPECT_EQ(played.failures, ThreeWaySettings().most_skips);
  EXPECT_EQ(played.conclusion.nodes.size(), 2000U);
}

TEST(ThreeWay, C5EqualLevelsAreRefused) {
  const Graph graph(test::linear_range(60));
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto strategy = make_three_way(graph);
    World world = one_change(graph, 30, 0);
    const Played played = test::play(*strategy, world, seed);
    refused += played.conclusion.kind == Kind::refused;
    if (played.conclusion.kind != Kind::refused) continue;
    EXPECT_EQ(played.builds, 2);
    EXPECT_NE(played.conclusion.reason.find("interval"), std::string::npos);
  }
  EXPECT_GE(refused, 97);
}

TEST(ThreeWay, C9SwappedEndsAreNotWorse) {
  const Graph graph(test::linear_range(60));
  const auto strategy = make_three_way(graph);
  const Played played = test::play(*strategy, one_change(graph, 30, -0.5), 1);
  EXPECT_EQ(played.conclusion.kind, Kind::refused);
  EXPECT_NE(played.conclusion.reason.find("not worse"), std::string::npos);
  EXPECT_EQ(played.builds, 2);
}

TEST(ThreeWay, AnEndThatCannotBeTestedIsNamed) {
  const Graph graph(test::linear_range(60));
  World world = one_change(graph, 30, 0.5);
  world.fails = [](Node node) { return node == 60 ? "needs gcc 4" : ""; };
  const auto strategy = make_three_way(graph);
  const Played played = test::play(*strategy, world, 1);
  EXPECT_EQ(played.conclusion.kind, Kind::refused);
  EXPECT_EQ(played.conclusion.reason, "BAD cannot be tested: needs gcc 4");
}

TEST(ThreeWay, C24EndsAreBootedInTurn) {
  const Graph graph(test::linear_range(8));
  const auto strategy = make_three_way(graph);
  const Played played = test::play(*strategy, one_change(graph, 3, 0.5), 1);
  ASSERT_GE(played.order.size(), 6U);
  EXPECT_EQ(std::vector<Node>(played.order.begin(), played.order.begin() + 6),
            (std::vector<Node>{0, 8, 8, 0, 0, 8}));
}

TEST(ThreeWay, FollowsEndsThatDrift) {
  // The whole machine slows down by more than the effect while the search goes on.
  const Graph graph(test::linear_range(1000));
  int right = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Node culprit = 1 + static_cast<Node>(seed * 24);
    World world = one_change(graph, culprit, 0.2);
    world.build_s = 600;
    const auto base = world.level;
    world.level = [base](Node node, double time) { return base(node, time) - 0.25 * time / 8000; };
    const auto strategy = make_three_way(graph);
    const Played played = test::play(*strategy, world, seed);
    right += played.conclusion.kind == Kind::commit && played.conclusion.nodes.front() == culprit;
  }
  EXPECT_GE(right, 36);
}

TEST(ThreeWay, SameEvidenceSameAction) {
  const Graph graph(test::linear_range(200));
  World world = one_change(graph, 77, 0.1);
  const auto first = make_three_way(graph);
  const Played played = test::play(*first, world, 9);
  // A new strategy, fed with every prefix, wants the boot that was made next.
  for (std::size_t made = 0; made < played.evidence.boots.size(); ++made) {
    Evidence prefix;
    prefix.boots.assign(played.evidence.boots.begin(), played.evidence.boots.begin() + long(made));
    const auto fresh = make_three_way(graph);
    const Action action = fresh->next(prefix);
    ASSERT_TRUE(std::holds_alternative<BootNode>(action)) << made;
    EXPECT_EQ(std::get<BootNode>(action).node, played.evidence.boots[made].node) << made;
  }
}

TEST(ThreeWay, VoidBootsDoNotVote) {
  const Graph graph(test::linear_range(20));
  World world = one_change(graph, 5, 0.5);
  const auto base = world.level;
  world.level = [base, boot = 0](Node node, double time) mutable {
    ++boot;
    if (boot % 5 == 0) return std::nan("");
    if (boot % 7 == 0) return -std::numeric_limits<double>::infinity();
    return base(node, time);
  };
  const auto strategy = make_three_way(graph);
  const Played played = test::play(*strategy, world, 1);
  EXPECT_EQ(played.conclusion.kind, Kind::commit);
  EXPECT_EQ(played.conclusion.nodes, std::vector<Node>{5});
  EXPECT_TRUE(std::isfinite(played.conclusion.delta.value()));
}

TEST(ThreeWay, AssessesAndLooksAhead) {
  const Graph graph(test::linear_range(60));
  const auto strategy = make_three_way(graph);
  const Strategy::Outlook before = strategy->outlook({});
  EXPECT_GE(before.builds, 2 + 5);
  EXPECT_LE(before.builds, 2 + 7);
  World world = one_change(graph, 20, 0.5);
  world.fails = [](Node node) { return node == 30 ? "hangs" : ""; };
  const Played played = test::play(*strategy, world, 1);
  EXPECT_EQ(strategy->assess(played.evidence, 0).outcome, Outcome::good);
  EXPECT_EQ(strategy->assess(played.evidence, 60).outcome, Outcome::bad);
  EXPECT_EQ(strategy->assess(played.evidence, 30).outcome, Outcome::skip);
  EXPECT_EQ(strategy->assess(played.evidence, 30).reason, "hangs");
  EXPECT_EQ(strategy->assess(played.evidence, 20).outcome, Outcome::bad);
  EXPECT_EQ(strategy->assess(played.evidence, 19).outcome, Outcome::good);
  const Strategy::Outlook after = strategy->outlook(played.evidence);
  EXPECT_EQ(after.builds, 0);
  EXPECT_EQ(after.boots, 0);
}

TEST(ThreeWay, SurvivesAbsurdNumbers) {
  const Graph graph(test::linear_range(30));
  for (double effect : {1e-6, 1e-3, 50.0, 1e6, 1e300})
    for (double noise : {0.0, 1e-9, 1.0}) {
      World world = one_change(graph, 9, effect);
      world.noise = noise;
      const auto strategy = make_three_way(graph);
      const Played played = test::play(*strategy, world, 1);
      EXPECT_NE(played.conclusion.reason, "no conclusion within the limit of the test") << effect;
      for (const auto& value : {played.conclusion.delta, played.conclusion.confidence})
        EXPECT_FALSE(std::isnan(value.value_or(0))) << effect << " " << noise;
    }
}

TEST(ThreeWay, OneCandidate) {
  const Graph graph(test::linear_range(1));
  const auto strategy = make_three_way(graph);
  const Played played = test::play(*strategy, one_change(graph, 1, 0.5), 1);
  EXPECT_EQ(played.conclusion.kind, Kind::commit);
  EXPECT_EQ(played.conclusion.nodes, std::vector<Node>{1});
  EXPECT_EQ(played.builds, 2);
}

}  // namespace
}  // namespace bisect_run::bisect
