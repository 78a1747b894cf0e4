// The whole loop with the real strategy over a fake world: right answers, and the same answer
// whenever the controller dies.

#include <random>

#include <gtest/gtest.h>

#include "bisect/three_way.h"
#include "engine/bisection.h"
#include "support/fake_world.h"

namespace bisect_run::engine {
namespace {

using test::FakeWorld;

struct Killed {};

BisectionSetup linear_setup(int candidates) {
  BisectionSetup setup;
  setup.range.boundary = 1;
  for (int i = 0; i <= candidates; ++i) {
    setup.range.nodes.push_back({.oid = {"c" + std::to_string(i)}});
    setup.range.parents.push_back(i == 0 ? std::vector<std::uint32_t>{}
                                         : std::vector{static_cast<std::uint32_t>(i - 1)});
  }
  setup.variant = "none";
  setup.question = {.metric = "m"};
  return setup;
}

/// Good until `culprit`, a little noise on every kernel, some that do not build or boot.
FakeWorld world_with(int candidates, int culprit, bool broken) {
  FakeWorld world;
  std::mt19937 random(static_cast<unsigned>(culprit));
  std::uniform_real_distribution<double> noise(0.98, 1.02);
  for (int i = 0; i <= candidates; ++i) {
    auto& kernel = world.kernels["c" + std::to_string(i)];
    kernel.rate = (i < culprit ? 100 : 10) * noise(random);
    if (!broken || i == 0 || i == candidates || std::abs(i - culprit) < 2) continue;
    kernel.builds = i % 7 != 3;
    if (i % 11 == 5) kernel.outcome = BootOutcome::panic;
  }
  return world;
}

Result<Findings> bisect(FakeWorld& world, const BisectionSetup& setup, Prober& prober) {
  static_cast<void>(world);
  return Bisection(setup, bisect::make_three_way(setup.range), prober).run();
}

TEST(WholeLoop, FindsTheCulpritWhereverItIs) {
  for (const bool broken : {false, true}) {
    for (int culprit = 1; culprit <= 24; ++culprit) {
      auto world = world_with(24, culprit, broken);
      Prober prober(world.ports(), {}, {});
      const auto findings = bisect(world, linear_setup(24), prober);
      ASSERT_TRUE(findings);
      ASSERT_EQ(findings->answer.kind, Answer::Kind::commit) << culprit << findings->answer.reason;
      EXPECT_EQ(findings->answer.commits[0].oid.hex, "c" + std::to_string(culprit));
    }
  }
}

TEST(WholeLoop, AKillAtAnyActionGivesTheSameAnswerAndLosesNothing) {
  const auto setup = linear_setup(24);
  auto whole = world_with(24, 17, true);
  Prober uninterrupted(whole.ports(), {}, {});
  ASSERT_TRUE(bisect(whole, setup, uninterrupted));
  const auto actions = whole.log;

  for (std::size_t killed_at = 0; killed_at < actions.size(); ++killed_at) {
    auto world = world_with(24, 17, true);
    Prober first(world.ports(), {}, {});
    world.before_each = [&] {
      if (world.log.size() == killed_at) throw Killed{};
    };
    EXPECT_THROW(static_cast<void>(bisect(world, setup, first)), Killed);
    world.before_each = {};
    const auto recorded = first.history().boots.size();
    Prober second(world.ports(), first.history(), {});
    const auto findings = bisect(world, setup, second);
    ASSERT_TRUE(findings);
    ASSERT_EQ(findings->answer.commits.size(), 1u);
    EXPECT_EQ(findings->answer.commits[0].oid.hex, "c17");
    EXPECT_GE(second.history().boots.size(), recorded);
    EXPECT_EQ(second.history().boots.size(), uninterrupted.history().boots.size())
        << "killed at action " << killed_at;
  }
}

}  // namespace
}  // namespace bisect_run::engine
