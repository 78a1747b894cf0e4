#include "engine/bisection.h"

#include <gtest/gtest.h>

#include "support/fake_world.h"

namespace bisect_run::engine {
namespace {

using test::FakeWorld;

/// Says what a list says, whatever the evidence; the last entry stays.
class Scripted : public bisect::Strategy {
 public:
  explicit Scripted(std::vector<bisect::Action> actions) : actions_(std::move(actions)) {}
  bisect::Action next(const bisect::Evidence& evidence) override {
    seen.push_back(evidence);
    const auto action = actions_[std::min(step_, actions_.size() - 1)];
    ++step_;
    return action;
  }
  bisect::Conclusion give_up(const bisect::Evidence&, const std::string& why) override {
    bisect::Conclusion conclusion;
    conclusion.kind = bisect::Conclusion::Kind::set;
    conclusion.nodes = {1, 2};
    conclusion.reason = why;
    return conclusion;
  }
  bisect::Assessment assess(const bisect::Evidence&, bisect::Node) override {
    return {Outcome::good, "scripted"};
  }
  Outlook outlook(const bisect::Evidence&) override { return {}; }

  std::vector<bisect::Evidence> seen;

 private:
  std::vector<bisect::Action> actions_;
  std::size_t step_ = 0;
};

BisectionSetup setup() {
  BisectionSetup setup;
  setup.range.boundary = 1;
  for (const auto* name : {"good", "one", "two", "bad"}) {
    setup.range.nodes.push_back({.oid = {name}, .subject = name});
    setup.range.parents.push_back({});
  }
  setup.variant = "none";
  setup.question = {.metric = "m"};
  return setup;
}

bisect::Conclusion commit(bisect::Node node) {
  bisect::Conclusion conclusion;
  conclusion.kind = bisect::Conclusion::Kind::commit;
  conclusion.nodes = {node};
  conclusion.delta = -0.6931471805599453;
  conclusion.delta_low = -0.7;
  conclusion.delta_high = -0.6;
  return conclusion;
}

TEST(Bisection, ANewBuildIsShownToTheStrategyBeforeItIsBooted) {
  FakeWorld world;
  world.kernels["one"].signature = "sig-good";
  Prober prober(world.ports(), {}, {});
  auto strategy = std::make_unique<Scripted>(std::vector<bisect::Action>{
      bisect::BootNode{0, ""}, bisect::BootNode{0, ""}, bisect::BootNode{1, ""}, commit(2)});
  auto* script = strategy.get();
  Bisection bisection(setup(), std::move(strategy), prober);
  ASSERT_TRUE(bisection.run());
  EXPECT_EQ(world.log, (std::vector<std::string>{"build good", "boot good", "build one"}));
  // The last evidence holds the boot of `good` for `one` too: the same kernel.
  ASSERT_EQ(script->seen.back().boots.size(), 2u);
  EXPECT_EQ(script->seen.back().boots[1].node, 1u);
}

TEST(Bisection, TheAnswerNamesTheCommitAndItsEffect) {
  FakeWorld world;
  Prober prober(world.ports(), {}, {});
  const auto findings =
      Bisection(setup(), std::make_unique<Scripted>(std::vector<bisect::Action>{commit(2)}), prober)
          .run();
  ASSERT_TRUE(findings);
  EXPECT_EQ(findings->status, RunStatus::answered);
  ASSERT_EQ(findings->answer.commits.size(), 1u);
  EXPECT_EQ(findings->answer.commits[0].oid.hex, "two");
  EXPECT_NEAR(*findings->answer.effect, -0.5, 1e-9);  // half the rate
  EXPECT_LT(*findings->answer.effect_low, *findings->answer.effect_high);
}

TEST(Bisection, ABootThatFailedTwiceIsASkipForTheStrategy) {
  FakeWorld world;
  world.kernels["one"].outcome = BootOutcome::panic;
  Prober prober(world.ports(), {}, {});
  auto strategy = std::make_unique<Scripted>(std::vector<bisect::Action>{
      bisect::BootNode{1, ""}, bisect::BootNode{1, ""}, bisect::BootNode{1, ""}, commit(2)});
  auto* script = strategy.get();
  Bisection bisection(setup(), std::move(strategy), prober);
  ASSERT_TRUE(bisection.run());
  EXPECT_TRUE(script->seen[2].skipped.empty());
  ASSERT_EQ(script->seen[3].skipped.size(), 1u);
  EXPECT_EQ(script->seen[3].skipped[0].node, 1u);
  EXPECT_TRUE(script->seen[3].boots.empty());
}

TEST(Bisection, AFaultOfTheHostEndsTheRunWithoutAVote) {
  FakeWorld world;
  world.infra_builds = 1000;
  Prober prober(world.ports(), {}, {});
  const auto findings =
      Bisection(setup(),
                std::make_unique<Scripted>(std::vector<bisect::Action>{bisect::BootNode{1, ""}}),
                prober)
          .run();
  ASSERT_FALSE(findings);
  EXPECT_EQ(findings.error().kind, ErrorKind::infra);
  EXPECT_TRUE(prober.history().builds.empty());
}

/// A build takes 10 s here, a boot 5.
TEST(Bisection, BeginsNothingThatWouldEndAfterItsBudget) {
  FakeWorld world;
  Prober prober(world.ports(), {}, {});
  auto limited = setup();
  limited.allowance.deadline = 34;
  limited.budget = "34 s";
  auto strategy = std::make_unique<Scripted>(
      std::vector<bisect::Action>{bisect::BootNode{1, ""}, bisect::BootNode{1, ""},
                                  bisect::BootNode{1, ""}, bisect::BootNode{2, ""}});
  const auto findings = Bisection(limited, std::move(strategy), prober).run();
  ASSERT_TRUE(findings);
  // 10 for the build, 5 and 5 for boots: at 20 another build with its boot would end at 35.
  EXPECT_EQ(world.log, (std::vector<std::string>{"build one", "boot one", "boot one"}));
  EXPECT_TRUE(findings->out_of_time);
  EXPECT_EQ(findings->status, RunStatus::unanswered);
  EXPECT_EQ(findings->answer.commits.size(), 2u);
  EXPECT_NE(findings->answer.reason.find("budget of 34 s"), std::string::npos);
}

TEST(Bisection, AnAnswerNeedsNoTime) {
  FakeWorld world;
  world.seconds = 100;
  Prober prober(world.ports(), {}, {});
  auto late = setup();
  late.allowance.deadline = 50;
  auto strategy = std::make_unique<Scripted>(std::vector<bisect::Action>{commit(2)});
  const auto findings = Bisection(late, std::move(strategy), prober).run();
  ASSERT_TRUE(findings);
  EXPECT_EQ(findings->status, RunStatus::answered);
  EXPECT_FALSE(findings->out_of_time);
}

TEST(Bisection, WhatThePersonCallsUntestableIsASkip) {
  FakeWorld world;
  Prober prober(world.ports(), {}, {});
  auto with_skips = setup();
  with_skips.untestable = {{"two"}, {"elsewhere"}};
  auto strategy = std::make_unique<Scripted>(std::vector<bisect::Action>{commit(1)});
  const auto* scripted = strategy.get();
  Bisection bisection(with_skips, std::move(strategy), prober);
  ASSERT_TRUE(bisection.run());
  ASSERT_EQ(scripted->seen.front().skipped.size(), 1u);
  EXPECT_EQ(scripted->seen.front().skipped.front().node, 2u);
  EXPECT_TRUE(world.log.empty());
}

}  // namespace
}  // namespace bisect_run::engine
