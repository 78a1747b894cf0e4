// The whole loop in simulation: the real engine through its ports in the world of the decision
// benchmark.

#include <gtest/gtest.h>

#include "bisect/posterior.h"
#include "support/ported_world.h"

namespace bisect_run::engine {
namespace {

using test::Tally;
using test::WorldOptions;

Tally through_the_engine(const WorldOptions& options, const Range& range, int runs,
                         std::size_t prebuild = 1) {
  const bisect::Graph graph(range);
  Tally tally;
  for (int run = 0; run < runs; ++run) {
    test::BisectWorld world(options, graph, 7000 + static_cast<std::uint64_t>(run));
    tally.add(test::play_engine(range, bisect::make_posterior(graph), world, prebuild));
  }
  return tally;
}

TEST(Simulation, TheEngineDoesWhatItsStrategySays) {
  WorldOptions options;
  options.effect = 0.1;
  options.samples = 9;
  options.commits = 300;
  options.failures = 0.1;
  const Range range = test::linear_range(options.commits);
  const bisect::Graph graph(range);
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    test::BisectWorld first(options, graph, seed), second(options, graph, seed);
    const auto direct = test::play(*bisect::make_posterior(graph), first);
    const auto ported = test::play_engine(range, bisect::make_posterior(graph), second);
    EXPECT_EQ(direct.kind, ported.kind) << seed;
    EXPECT_EQ(direct.builds, ported.builds) << seed;
    EXPECT_EQ(direct.boots, ported.boots) << seed;
  }
}

TEST(Simulation, TenPercentAmongMerges) {
  WorldOptions options;
  options.effect = 0.1;
  options.samples = 9;
  std::mt19937_64 random(1);
  const Tally tally = through_the_engine(options, test::branching_range(random, 2000), 15);
  EXPECT_EQ(tally.right, 15);
  EXPECT_LE(tally.mean(tally.cost), 5500);
}

TEST(Simulation, TwoChangesAreBothNamed) {
  WorldOptions options;
  options.effect = 0.5;
  options.two_changes = true;
  std::mt19937_64 random(2);
  const Tally tally = through_the_engine(options, test::branching_range(random, 1000), 12);
  EXPECT_EQ(tally.right, 12);
  EXPECT_GE(tally.all_changes, 11);
  EXPECT_EQ(tally.false_changes, 0);
}

TEST(Simulation, ThreeKernelsAtOnceSaveTime) {
  WorldOptions options;
  options.effect = 0.5;
  const Range range = test::linear_range(options.commits);
  const Tally one = through_the_engine(options, range, 15, 1);
  const Tally three = through_the_engine(options, range, 15, 3);
  EXPECT_EQ(three.right, 15);
  EXPECT_LE(three.mean(three.wall), 0.8 * one.mean(one.wall));
}

}  // namespace
}  // namespace bisect_run::engine
