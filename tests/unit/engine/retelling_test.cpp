#include "engine/retelling.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "bisect/posterior.h"
#include "engine/bisection.h"
#include "engine/unread.h"
#include "support/fake_world.h"
#include "support/histories.h"

namespace bisect_run::engine {
namespace {

using test::FakeWorld;

constexpr int kCulprit = 9;

struct Told {
  Range range = test::linear_range(16);
  History history;
  std::vector<std::string> whys;  ///< of each boot, as they were given at the time
  std::size_t prebuild = 1;
};

/// Keeps the reason of every boot: that of its build, where it was built for it.
struct Witness : test::QuietObserver {
  std::vector<std::string>* whys = nullptr;
  std::string last, of_build;
  void probing(const KernelSpec&, std::string_view why) override { last = why; }
  void built(const KernelSpec&, const Result<Image>& image) override {
    of_build = image ? last : "";
  }
  void booted(const KernelSpec&, const Boot&, std::optional<double>) override {
    whys->push_back(of_build.empty() ? last : of_build);
    of_build.clear();
  }
};

Told play(std::size_t prebuild = 1) {
  Told told;
  told.prebuild = prebuild;
  FakeWorld world;
  for (std::uint32_t i = 0; i < told.range.nodes.size(); ++i) {
    auto& kernel = world.kernels[told.range.nodes[i].oid.hex];
    kernel.rate = (i < kCulprit ? 100 : 50) + 0.1 * (i % 3);
    kernel.builds = i != 8 + 4;
  }
  Witness witness;
  witness.whys = &told.whys;
  Prober prober({world, world, world, world, witness}, {}, {});
  BisectionSetup setup;
  setup.range = told.range;
  setup.variant = "none";
  setup.question = {.metric = "m"};
  setup.prebuild = prebuild;
  const auto findings = Bisection(setup, bisect::make_posterior(told.range), prober).run();
  EXPECT_EQ(findings->answer.commits.front().oid, told.range.nodes[kCulprit].oid);
  told.history = prober.history();
  return told;
}

std::vector<ToldStep> retold(const Told& told) {
  const auto strategy = bisect::make_posterior(told.range);
  return retell({.range = told.range,
                 .history = told.history,
                 .machine = told.history.boots.front().boot.machine,
                 .question = {.metric = "m"},
                 .untestable = {},
                 .prebuild = told.prebuild},
                *strategy);
}

TEST(Retelling, GivesTheReasonsOfTheTime) {
  const auto told = play();
  std::vector<std::string> whys;
  for (const auto& step : retold(told))
    if (step.kind == ToldStep::Kind::boot) whys.push_back(step.why);
  EXPECT_EQ(whys, told.whys);
}

TEST(Retelling, SaysWhatWasBuiltAhead) {
  const auto told = play(2);
  int ahead = 0;
  for (const auto& step : retold(told)) {
    EXPECT_FALSE(step.why.empty()) << step.subject;
    ahead += step.why.starts_with("built ahead") ? 1 : 0;
  }
  EXPECT_GT(ahead, 0);
}

// Most commits touch nothing that a kernel has read: the run set them back, and so must the tale.
TEST(Retelling, KnowsWhatTheRunSetBack) {
  const auto range = test::linear_range(200);
  FakeWorld world;
  auto& touched = world.source.touched;
  touched.names = {"kernel/near.c", "drivers/far.c"};
  touched.at_both_ends = {true, true};
  for (std::uint32_t i = 0; i < range.nodes.size(); ++i) {
    auto& kernel = world.kernels[range.nodes[i].oid.hex];
    kernel.rate = (i < 150 ? 100 : 50) + 0.1 * (i % 3);
    kernel.reads = {"kernel/near.c"};
    touched.of.push_back({i % 30 == 0 ? 0U : 1U});
  }
  world.source.why_not = "not asked here";
  std::vector<std::string> whys, told;
  Witness witness;
  witness.whys = &whys;
  Prober prober({world, world, world, world, witness, &world.source}, {}, {});
  BisectionSetup setup;
  setup.range = range;
  setup.variant = "none";
  setup.question = {.metric = "m"};
  ASSERT_TRUE(Bisection(setup, bisect::make_posterior(range), prober).run());

  const NodeIndex index(range);
  Unread unread(range, index, world, &world.source);
  const auto strategy = bisect::make_posterior(range);
  const auto steps = retell({.range = range,
                             .history = prober.history(),
                             .machine = prober.history().boots.front().boot.machine,
                             .question = {.metric = "m"},
                             .untestable = {},
                             .unlikely = [&](const History& past) { return *unread.now(past); }},
                            *strategy);
  for (const auto& step : steps)
    if (step.kind == ToldStep::Kind::boot) told.push_back(step.why);
  EXPECT_EQ(told, whys);
}

TEST(Retelling, SaysWhatEachStepChanged) {
  const auto steps = retold(play());
  EXPECT_FALSE(steps.front().before);
  EXPECT_FALSE(steps.front().after);
  EXPECT_TRUE(steps.front().built_for_it);
  bool first = true;
  std::size_t open = 0;
  for (const auto& step : steps) {
    if (!step.after) continue;
    if (first) {
      EXPECT_EQ(step.after->open, 16u) << "before any probe 95 % of 16 commits are all of them";
      EXPECT_FALSE(step.before);
    } else {
      EXPECT_EQ(step.before->open, open) << "each step begins where the last one ended";
    }
    first = false;
    open = step.after->open;
  }
  EXPECT_EQ(open, 1u);
  EXPECT_EQ(steps.back().after->favourite, test::linear_range(16).nodes[kCulprit].oid);
  EXPECT_GT(steps.back().after->favourite_mass, 0.99);
}

TEST(Retelling, AFailedBuildIsAStepInItsPlace) {
  const auto told = play();
  const auto steps = retold(told);
  const auto failed = std::ranges::find(steps, ToldStep::Kind::build_failed, &ToldStep::kind);
  const bool met = std::ranges::any_of(
      told.history.builds, [](const BuildRecord& build) { return build.error.has_value(); });
  ASSERT_EQ(failed != steps.end(), met);
  if (!met) GTEST_SKIP() << "the strategy no longer tries the commit that does not build";
  EXPECT_NE(failed->failure.find("does not compile"), std::string::npos);
  EXPECT_TRUE(failed->before) << "it came after the calibration";
}

TEST(Retelling, ABootThatGoesOnHasNotFailed) {
  auto told = play();
  BootRecord now = told.history.boots.back();
  now.boot.outcome = BootOutcome::running;
  now.samples.clear();
  told.history.boots.push_back(now);
  const auto steps = retold(told);
  EXPECT_TRUE(steps.back().going_on);
  EXPECT_TRUE(steps.back().failure.empty());
  EXPECT_FALSE(steps.front().going_on);
}

}  // namespace
}  // namespace bisect_run::engine
