#include "engine/comparison.h"

#include <gtest/gtest.h>

#include "support/fake_world.h"

namespace bisect_run::engine {
namespace {

using test::FakeWorld;
using Log = std::vector<std::string>;

Cell cell(const std::string& commit, int cpus = 2) {
  return {{commit, {commit}, {}, "none"}, {.cpus = cpus}};
}

TEST(Comparison, BootsAreInterleavedAndTurnedRound) {
  FakeWorld world;
  Prober prober(world.ports(), {}, {});
  ASSERT_TRUE(run_comparison({{cell("a"), cell("b")}, {}, 3}, prober));
  EXPECT_EQ(world.log, (Log{"build a", "build b", "boot a", "boot b", "boot b", "boot a", "boot a",
                            "boot b"}));
}

TEST(Comparison, ACellThatCannotBeMeasuredDoesNotHoldUpTheOthers) {
  FakeWorld world;
  world.kernels["a"].builds = false;
  world.kernels["b"].outcome = BootOutcome::panic;
  Prober prober(world.ports(), {}, {});
  ASSERT_TRUE(run_comparison({{cell("a"), cell("b"), cell("c")}, {}, 2}, prober));
  EXPECT_EQ(world.log,
            (Log{"build a", "build b", "build c", "boot b", "boot b", "boot c", "boot c"}));
}

TEST(Comparison, AResumedRunGoesOnWhereItStopped) {
  FakeWorld world;
  Prober first(world.ports(), {}, {});
  ASSERT_TRUE(run_comparison({{cell("a"), cell("b")}, {}, 1}, first));
  world.log.clear();
  Prober second(world.ports(), first.history(), {});
  ASSERT_TRUE(run_comparison({{cell("a"), cell("b")}, {}, 2}, second));
  EXPECT_EQ(world.log, (Log{"build a", "build b", "boot b", "boot a"}));
}

TEST(Comparison, TheSameKernelOnTwoMachinesIsTwoCells) {
  FakeWorld world;
  Prober prober(world.ports(), {}, {});
  ASSERT_TRUE(run_comparison({{cell("a", 1), cell("a", 4)}, {}, 1}, prober));
  EXPECT_EQ(world.log, (Log{"build a", "boot a", "boot a"}));
}

}  // namespace
}  // namespace bisect_run::engine
