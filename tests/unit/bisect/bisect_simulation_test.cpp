// The decision benchmark (tests/bench/bisect_simulation.cpp) in short: bounds that a real fault in
// model, choice or verification breaks. Seeds are fixed, so nothing here is left to chance.

#include <gtest/gtest.h>

#include "bisect/posterior.h"
#include "support/bisect_contest.h"
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
