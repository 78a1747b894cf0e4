#include "engine/comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "support/compare_world.h"
#include "support/fake_world.h"

namespace bisect_run::engine {
namespace {

using test::FakeWorld;
using Log = std::vector<std::string>;

Cell cell(const std::string& commit, int cpus = 2) {
  return {{commit, {commit}, {}, "none"}, {.cpus = cpus}};
}

ComparisonSetup setup(std::vector<Cell> cells, int boots, int most_boots = 0) {
  return {.cells = std::move(cells), .scenarios = {{}}, .boots = boots, .most_boots = most_boots};
}

long boots_of(const FakeWorld& world, const std::string& commit) {
  return std::ranges::count(world.log, "boot " + commit);
}

TEST(Comparison, BootsAreInterleavedAndTurnedRound) {
  FakeWorld world;
  Prober prober(world.ports(), {}, {});
  ASSERT_TRUE(run_comparison(setup({cell("a"), cell("b")}, 3), prober));
  EXPECT_EQ(world.log, (Log{"build a", "build b", "boot a", "boot b", "boot b", "boot a", "boot a",
                            "boot b"}));
}

TEST(Comparison, ACellThatCannotBeMeasuredDoesNotHoldUpTheOthers) {
  FakeWorld world;
  world.kernels["a"].builds = false;
  world.kernels["b"].outcome = BootOutcome::panic;
  Prober prober(world.ports(), {}, {});
  ASSERT_TRUE(run_comparison(setup({cell("a"), cell("b"), cell("c")}, 2), prober));
  EXPECT_EQ(world.log,
            (Log{"build a", "build b", "build c", "boot b", "boot b", "boot c", "boot c"}));
}

TEST(Comparison, AResumedRunGoesOnWhereItStopped) {
  FakeWorld world;
  Prober first(world.ports(), {}, {});
  ASSERT_TRUE(run_comparison(setup({cell("a"), cell("b")}, 1), first));
  world.log.clear();
  Prober second(world.ports(), first.history(), {});
  ASSERT_TRUE(run_comparison(setup({cell("a"), cell("b")}, 2), second));
  EXPECT_EQ(world.log, (Log{"build a", "build b", "boot b", "boot a"}));
}

TEST(Comparison, TheSameKernelOnTwoMachinesIsTwoCells) {
  FakeWorld world;
  Prober prober(world.ports(), {}, {});
  ASSERT_TRUE(run_comparison(setup({cell("a", 1), cell("a", 4)}, 1), prober));
  EXPECT_EQ(world.log, (Log{"build a", "boot a", "boot a"}));
}

TEST(Comparison, WhatIsUndecidedGetsMoreBootsUpToABound) {
  FakeWorld world;
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise(0, 0.05);
  world.kernels["slow"].rate = 10;
  world.before_each = [&] {
    for (auto* name : {"base", "alike"}) world.kernels[name].rate = 100 * std::exp(noise(random));
    world.kernels["slow"].rate = 10 * std::exp(noise(random));
  };
  Prober prober(world.ports(), {}, {});
  ASSERT_TRUE(run_comparison(setup({cell("base"), cell("alike"), cell("slow")}, 3, 8), prober));
  EXPECT_EQ(boots_of(world, "slow"), 3);  // ten times slower is plain at once
  EXPECT_EQ(boots_of(world, "alike"), 8);
  EXPECT_EQ(boots_of(world, "base"), 8);
}

TEST(Comparison, TheSameMachineCodeIsNotBootedTwice) {
  FakeWorld world;
  world.kernels["a"].signature = world.kernels["b"].signature = "one";
  Prober prober(world.ports(), {}, {});
  ASSERT_TRUE(run_comparison(setup({cell("a"), cell("b"), cell("c")}, 2), prober));
  EXPECT_EQ(boots_of(world, "a"), 2);
  EXPECT_EQ(boots_of(world, "b"), 0);
  EXPECT_EQ(boots_of(world, "c"), 2);
}

TEST(Comparison, EveryScenarioHasItsOwnBoots) {
  FakeWorld world;
  auto both = setup({cell("a"), cell("b")}, 2);
  both.scenarios = {{.name = "one", .digest = "1"}, {.name = "two", .digest = "2"}};
  Prober first(world.ports(), {}, {});
  ASSERT_TRUE(run_comparison(both, first));
  EXPECT_EQ(boots_of(world, "a"), 4);
  world.log.clear();
  Prober again(world.ports(), first.history(), {});
  ASSERT_TRUE(run_comparison(both, again));
  EXPECT_EQ(boots_of(world, "a"), 0);
}

// The promise is one run in a hundred; bench/compare_simulation counts thousands.
TEST(Comparison, EqualKernelsAreNotCalledAndALargeChangeIs) {
  int wrong = 0, found = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto run = test::play_comparison({}, 3, std::log(4.0), 3, 8, seed);
    wrong += run.called_alike > 0 || run.called_faster > 0 ? 1 : 0;
    found += run.called_slower == run.cells ? 1 : 0;
  }
  EXPECT_LE(wrong, 2);
  EXPECT_GE(found, 39);
}

}  // namespace
}  // namespace bisect_run::engine
