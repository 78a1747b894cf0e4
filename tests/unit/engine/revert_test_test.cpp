// The answer taken back on top of BAD, in a world where every kernel has its number.

#include "engine/revert_test.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "bisect/posterior.h"
#include "engine/bisection.h"
#include "support/fake_world.h"

namespace bisect_run::engine {
namespace {

using test::FakeWorld;

/// c0 .. c8 in a line; from c5 on the rate is 50 instead of 100. "c8-c5" is BAD without c5.
struct Line {
  FakeWorld world;
  BisectionSetup setup;

  Line() {
    setup.range.boundary = 1;
    for (std::uint32_t i = 0; i <= 8; ++i) {
      const std::string name = "c" + std::to_string(i);
      setup.range.nodes.push_back({.oid = {name}});
      setup.range.parents.push_back(i == 0 ? std::vector<std::uint32_t>{} : std::vector{i - 1});
      world.kernels[name].rate = i < 5 ? 100 : 50;
    }
    setup.variant = "none";
    setup.question = {.metric = "m"};
  }
  Result<Findings> bisect(Prober& prober) {
    return Bisection(setup, bisect::make_posterior(setup.range), prober).run();
  }
  RevertOutcome revert_at(double rate) {
    world.kernels["c8-c5"].rate = rate;
    Prober prober(world.ports_with_source(), {}, {});
    const auto findings = bisect(prober);
    EXPECT_TRUE(findings);
    EXPECT_EQ(findings->answer.commits.at(0).oid.hex, "c5");
    return findings->answer.revert.value_or(RevertOutcome{});
  }
};

TEST(RevertTest, WhatComesBackDecides) {
  const RevertOutcome confirmed = Line().revert_at(100);
  EXPECT_EQ(confirmed.verdict, "confirmed");
  EXPECT_NEAR(confirmed.recovered.value(), 1, 1e-6);
  EXPECT_GE(confirmed.boots, 2);
  EXPECT_EQ(Line().revert_at(50).verdict, "refuted");
  // ln 50 to ln 100: 70.7 is the middle.
  const RevertOutcome partial = Line().revert_at(70.7);
  EXPECT_EQ(partial.verdict, "partial");
  EXPECT_NEAR(partial.recovered.value(), 0.5, 0.01);
}

TEST(RevertTest, BootsAreInterleaved) {
  Line line;
  line.revert_at(100);
  std::vector<std::string> boots;
  for (const auto& entry : line.world.log)
    if (entry.starts_with("boot ")) boots.push_back(entry.substr(5));
  const auto first = std::find(boots.begin(), boots.end(), "c8-c5");
  ASSERT_GE(boots.end() - first, 6);
  EXPECT_EQ(std::vector<std::string>(first, first + 6),
            (std::vector<std::string>{"c8-c5", "c0", "c8", "c8", "c0", "c8-c5"}));
}

TEST(RevertTest, WhyItIsNotTested) {
  {
    Line line;
    line.world.source.why_not = "c5 is a merge";
    const RevertOutcome outcome = line.revert_at(100);
    EXPECT_EQ(outcome.verdict, "");
    EXPECT_EQ(outcome.why_not, "c5 is a merge");
  }
  {
    Line line;
    line.world.kernels["c8-c5"].builds = false;
    EXPECT_EQ(line.revert_at(100).why_not,
              "BAD without the commit does not build: error: does not compile");
  }
  {
    Line line;
    line.world.kernels["c8-c5"].signature = "sig-c8";
    EXPECT_EQ(line.revert_at(100).why_not, "BAD without the commit is the same kernel as BAD");
  }
  {
    Line line;
    line.world.kernels["c8-c5"].outcome = BootOutcome::panic;
    EXPECT_EQ(line.revert_at(100).why_not, "3 boots of the test failed");
  }
}

TEST(RevertTest, StaysWithinTheBudget) {
  Line line;
  Prober counting(line.world.ports(), {}, {});
  ASSERT_TRUE(line.bisect(counting));
  const int searched = static_cast<int>(counting.history().boots.size());
  Line limited;
  limited.setup.allowance.most_boots = searched + 3;
  limited.world.kernels["c8-c5"].rate = 100;
  Prober prober(limited.world.ports_with_source(), {}, {});
  const auto findings = limited.bisect(prober);
  ASSERT_TRUE(findings);
  EXPECT_EQ(findings->answer.revert->why_not, "the run has no boots left");
  EXPECT_EQ(prober.history().boots.size(), static_cast<std::size_t>(searched) + 3);
}

TEST(RevertTest, BuildsNothingThatWouldEndAfterTheBudget) {
  Line line;
  Prober counting(line.world.ports(), {}, {});
  ASSERT_TRUE(line.bisect(counting));
  Line late;
  late.setup.allowance.deadline = line.world.seconds + 14;  // a build takes 10 s here, a boot 5
  Prober prober(late.world.ports_with_source(), {}, {});
  const auto findings = late.bisect(prober);
  ASSERT_TRUE(findings);
  EXPECT_EQ(findings->answer.revert->why_not, "the budget is spent");
  EXPECT_EQ(std::ranges::count(late.world.log, "build c8-c5"), 0);
  EXPECT_EQ(late.world.log, line.world.log);
}

struct Killed {};

TEST(RevertTest, AKillAtAnyActionGivesTheSameAnswer) {
  Line whole;
  whole.world.kernels["c8-c5"].rate = 100;
  Prober uninterrupted(whole.world.ports_with_source(), {}, {});
  const auto expected = whole.bisect(uninterrupted);
  ASSERT_TRUE(expected);
  for (std::size_t at = 0; at < whole.world.log.size(); ++at) {
    Line line;
    line.world.kernels["c8-c5"].rate = 100;
    Prober first(line.world.ports_with_source(), {}, {});
    line.world.before_each = [&] {
      if (line.world.log.size() == at) throw Killed{};
    };
    EXPECT_THROW(static_cast<void>(line.bisect(first)), Killed);
    line.world.before_each = {};
    Prober second(line.world.ports_with_source(), first.history(), {});
    const auto findings = line.bisect(second);
    ASSERT_TRUE(findings);
    EXPECT_EQ(findings->answer.commits.at(0).oid.hex, "c5");
    EXPECT_EQ(findings->answer.revert->verdict, expected->answer.revert->verdict) << at;
    EXPECT_EQ(second.history().boots.size(), uninterrupted.history().boots.size()) << at;
  }
}

}  // namespace
}  // namespace bisect_run::engine
