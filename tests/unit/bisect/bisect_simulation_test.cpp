// The decision benchmark (tests/bench/bisect_simulation.cpp) in short: bounds that a real fault in
// model, choice or verification breaks. Seeds are fixed, so nothing here is left to chance.

#include <gtest/gtest.h>

#include "bisect/posterior.h"
#include "support/bisect_contest.h"
#include "support/known_levels_strategies.h"
#include "support/midpoint_strategies.h"

namespace bisect_run::bisect {
namespace {

using test::Tally;
using test::WorldOptions;

Tally ours(const WorldOptions& options, const Graph& graph, int runs) {
  Tally tally;
  for (int run = 0; run < runs; ++run) {
    test::BisectWorld world(options, graph, 5000 + static_cast<std::uint64_t>(run));
    PosteriorSettings settings;
    settings.most_layouts = 7;
    tally.add(test::play(*make_posterior(graph, settings), world));
  }
  return tally;
}

TEST(BisectSimulation, FivePercentAmong1024) {
  WorldOptions options;
  options.samples = 9;
  const Graph graph(test::linear_range(options.commits));
  const Tally tally = ours(options, graph, 100);  // the mean over 25 is a matter of luck
  Tally ten_boots;
  for (int run = 0; run < 200; ++run) {
    test::BisectWorld world(options, graph, 5000 + static_cast<std::uint64_t>(run));
    ten_boots.add(test::play_repeated(world, graph.bad(), 10));
  }
  EXPECT_GE(tally.right, 98);
  EXPECT_LE(tally.wrong, 1);
  EXPECT_LE(tally.mean(tally.cost), 6000);
  EXPECT_LT(tally.mean(tally.cost), ten_boots.mean(ten_boots.cost));
  EXPECT_NEAR(ten_boots.percent(ten_boots.right), 44, 11);  // the world is as hard as it should be
}

/// Strategies C to E of statistics.md, section 15, in one and the same worlds.
struct KnownLevelsTallies {
  Tally sequential, controlled, known, tracked;
};

KnownLevelsTallies with_known_levels(double effect, int runs) {
  WorldOptions options;
  options.effect = effect;
  const Graph graph(test::linear_range(options.commits));
  KnownLevelsTallies tallies;
  for (int run = 0; run < runs; ++run) {
    const test::BisectWorld world(options, graph, 5000 + static_cast<std::uint64_t>(run));
    test::BisectWorld first = world, second = world, third = world, fourth = world;
    tallies.sequential.add(test::play_sequential(first, graph.bad()));
    tallies.controlled.add(test::play_sequential(second, graph.bad(), true));
    tallies.known.add(test::play_known_levels(third, graph));
    tallies.tracked.add(test::play_tracked_levels(fourth, graph));
  }
  return tallies;
}

// The table's figures, 300 runs each; the bounds are three standard errors of both samples.
TEST(BisectSimulation, KnownLevelsFailAsInTheTable) {
  const KnownLevelsTallies tallies = with_known_levels(0.05, 300);
  const auto right = [](const Tally& tally) { return tally.percent(tally.right); };
  EXPECT_NEAR(right(tallies.sequential), 52.3, 12);
  EXPECT_NEAR(right(tallies.controlled), 82.3, 9);
  EXPECT_NEAR(right(tallies.known), 67.3, 11);
  EXPECT_NEAR(right(tallies.tracked), 75.3, 10);
}

TEST(BisectSimulation, KnownLevelsCostWhatTheTableSays) {
  const KnownLevelsTallies tallies = with_known_levels(1.0, 300);
  EXPECT_NEAR(tallies.sequential.mean(tallies.sequential.cost), 3780, 1);
  EXPECT_NEAR(tallies.controlled.mean(tallies.controlled.cost), 4380, 1);
  EXPECT_NEAR(tallies.known.mean(tallies.known.cost), 3480, 3);
  EXPECT_NEAR(tallies.tracked.mean(tallies.tracked.cost), 3489, 6);
}

TEST(BisectSimulation, HalfAgainAsSlow) {
  WorldOptions options;
  options.effect = 0.5;
  const Tally tally = ours(options, Graph(test::linear_range(options.commits)), 60);
  EXPECT_EQ(tally.right, 60);
  EXPECT_LE(tally.mean(tally.cost), 3800);
}

TEST(BisectSimulation, NoDifferenceIsRefused) {
  WorldOptions options;
  options.effect = 0;
  const Tally tally = ours(options, Graph(test::linear_range(options.commits)), 80);
  EXPECT_GE(tally.refused, 79);
  EXPECT_EQ(tally.wrong, 0);
}

TEST(BisectSimulation, BrokenStretches) {
  WorldOptions options;
  options.effect = 0.5;
  options.failures = 0.1;
  const Tally tally = ours(options, Graph(test::linear_range(options.commits)), 40);
  EXPECT_EQ(tally.wrong, 0);
  EXPECT_EQ(tally.right + tally.set, 40);
  EXPECT_LE(tally.mean(tally.cost), 5200);
}

TEST(BisectSimulation, TwoChanges) {
  WorldOptions options;
  options.effect = 0.5;
  options.two_changes = true;
  const Tally tally = ours(options, Graph(test::linear_range(options.commits)), 30);
  EXPECT_EQ(tally.right, 30);
  EXPECT_GE(tally.flagged, 28);
}

TEST(BisectSimulation, Merges) {
  WorldOptions options;
  options.effect = 0.1;
  options.commits = 5000;
  std::mt19937_64 random(1);
  const Tally tally = ours(options, Graph(test::branching_range(random, options.commits)), 20);
  EXPECT_EQ(tally.right, 20);
  EXPECT_LE(tally.mean(tally.builds), 18);
}

}  // namespace
}  // namespace bisect_run::bisect
