#include "engine/evidence.h"

#include <cmath>

#include <gtest/gtest.h>

#include "engine/boot_value.h"
#include "model/spec_key.h"

namespace bisect_run::engine {
namespace {

KernelSpec spec(const std::string& commit) {
  return {commit, {commit}, {}, "none"};
}

BuildRecord built(const std::string& commit, const std::string& signature) {
  Image image;
  image.signature = signature;
  return {spec(commit), image, std::nullopt};
}

BootRecord boot(const std::string& commit, BootOutcome outcome, double rate = 100) {
  BootRecord record{.spec = spec(commit)};
  record.boot.outcome = outcome;
  Sample sample;
  sample.metric = "m";
  sample.items = 100;
  sample.wall_ns = static_cast<std::int64_t>(100 * 1e9 / rate);
  if (outcome == BootOutcome::complete) record.samples = {sample};
  return record;
}

Range linear(const std::vector<std::string>& names) {
  Range range;
  range.boundary = 1;
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    range.nodes.push_back({.oid = {names[i]}});
    range.parents.push_back(i == 0 ? std::vector<std::uint32_t>{} : std::vector{i - 1});
  }
  return range;
}

const Question kQuestion{.metric = "m"};

TEST(BootValue, IsTheMedianRateOfTheMetricAndMark) {
  std::vector<Sample> samples;
  for (const std::int64_t ns : {1000000000L, 2000000000L, 4000000000L}) {
    Sample sample;
    sample.metric = "m";
    sample.mark = 50;
    sample.items = 8;
    sample.wall_ns = ns;
    samples.push_back(sample);
  }
  EXPECT_EQ(boot_value(samples, "m", 50), 4.0);  // 8, 4 and 2 per second
  EXPECT_EQ(boot_value(samples, "m", 100), std::nullopt);
  EXPECT_EQ(boot_value(samples, "other", 50), std::nullopt);
}

TEST(BootValue, ANumberThatCannotBeIsNoVote) {
  Sample nothing;
  nothing.metric = "m";
  EXPECT_EQ(boot_value({nothing}, "m", 0), std::nullopt);  // zero items in zero time
  nothing.value = std::nan("");
  EXPECT_EQ(boot_value({nothing}, "m", 0), std::nullopt);
}

TEST(Y, BadIsLowerWhateverTheDirection) {
  EXPECT_LT(to_y({"m", 0, true, false}, 50), to_y({"m", 0, true, false}, 100));
  EXPECT_LT(to_y({"m", 0, false, false}, 100), to_y({"m", 0, false, false}, 50));
  EXPECT_LT(to_y({"m", 0, true, true}, 100), to_y({"m", 0, true, true}, 50));
}

TEST(Effect, IsBadOverGoodMinusOne) {
  const Question slower{"m", 0, true, false}, fix{"m", 0, true, true};
  EXPECT_NEAR(to_effect(slower, to_y(slower, 25) - to_y(slower, 100)), -0.75, 1e-12);
  EXPECT_NEAR(to_effect(fix, to_y(fix, 400) - to_y(fix, 100)), 3.0, 1e-12);
}

TEST(SkipReason, OneFailedBootIsTriedAgainTwoAreASkip) {
  History history{.builds = {built("a", "s")}, .boots = {boot("a", BootOutcome::panic)}};
  const auto key = spec_key(spec("a"));
  EXPECT_FALSE(skip_reason(history, key, {}));
  history.boots.push_back(boot("a", BootOutcome::hang));
  EXPECT_TRUE(skip_reason(history, key, {}));
}

TEST(SkipReason, FaultsOfTheHostNeverCount) {
  History history{.builds = {built("a", "s")}, .boots = {}};
  for (int i = 0; i < 9; ++i)
    history.boots.push_back(boot("a", i % 2 ? BootOutcome::infra : BootOutcome::interrupted));
  EXPECT_FALSE(skip_reason(history, spec_key(spec("a")), {}));
}

TEST(SkipReason, C22ABootWithoutTheNumberIsAFailedOne) {
  History history{.builds = {built("a", "s")},
                  .boots = {boot("a", BootOutcome::complete), boot("a", BootOutcome::complete)}};
  const Question other{.metric = "other"};
  EXPECT_TRUE(skip_reason(history, spec_key(spec("a")), {}, &other));
  EXPECT_FALSE(skip_reason(history, spec_key(spec("a")), {}, &kQuestion));
}

TEST(Gather, KernelsOfEqualSignatureShareTheirBoots) {
  const auto range = linear({"a", "b", "c"});
  const History history{.builds = {built("a", "same"), built("b", "same"), built("c", "other")},
                        .boots = {boot("a", BootOutcome::complete, 50)}};
  const auto evidence = gather(history, NodeIndex(range), {}, kQuestion);
  ASSERT_EQ(evidence.boots.size(), 2u);
  EXPECT_EQ(evidence.boots[0].node, 0u);
  EXPECT_FALSE(evidence.boots[0].shared);
  EXPECT_EQ(evidence.boots[1].node, 1u);
  EXPECT_TRUE(evidence.boots[1].shared);
  EXPECT_EQ(evidence.boots[0].build, evidence.boots[1].build);
  EXPECT_NEAR(evidence.boots[0].y, std::log(50), 1e-9);
}

TEST(Gather, EqualBitsWithOtherBootArgumentsAreAnotherKernel) {
  const auto range = linear({"a", "b"});
  History history{.builds = {built("a", "same"), built("b", "same")},
                  .boots = {boot("a", BootOutcome::complete)}};
  history.builds[1].image->boot_args = {"rcu_nocbs=0-1"};
  EXPECT_EQ(gather(history, NodeIndex(range), {}, kQuestion).boots.size(), 1u);
}

TEST(Gather, AnotherVariantOfACommitIsNoNode) {
  const auto range = linear({"a", "b"});
  History history{.builds = {built("a", "s")}, .boots = {boot("a", BootOutcome::complete)}};
  history.builds[0].spec.variant = history.boots[0].spec.variant = "all-by-list";
  EXPECT_TRUE(gather(history, NodeIndex(range, "none"), {}, kQuestion).built.empty());
  EXPECT_TRUE(gather(history, NodeIndex(range, "none"), {}, kQuestion).boots.empty());
  EXPECT_EQ(gather(history, NodeIndex(range, "all-by-list"), {}, kQuestion).boots.size(), 1u);
}

TEST(Gather, C8OnlyCompleteBootsVote) {
  const auto range = linear({"a", "b"});
  History history{.builds = {built("a", "s")}, .boots = {}};
  for (const auto outcome :
       {BootOutcome::running, BootOutcome::panic, BootOutcome::hang, BootOutcome::gone,
        BootOutcome::wrong_kernel, BootOutcome::variant_lost, BootOutcome::scenario_failed,
        BootOutcome::protocol, BootOutcome::infra, BootOutcome::interrupted})
    history.boots.push_back(boot("a", outcome));
  EXPECT_TRUE(gather(history, NodeIndex(range), {}, kQuestion).boots.empty());
}

TEST(Evidence, PricesAreThoseOfTheRun) {
  History history;
  const auto built = [&](double seconds, bool cached) {
    Image image;
    image.build_seconds = seconds;
    image.cached = cached;
    history.builds.push_back({.spec = {}, .image = image, .error = {}});
  };
  const auto booted = [&](double seconds, BootOutcome outcome) {
    BootRecord record;
    record.boot.outcome = outcome;
    record.boot.wall_seconds = seconds;
    history.boots.push_back(record);
  };
  built(600, false);
  built(0, true);
  booted(20, BootOutcome::complete);
  EXPECT_FALSE(prices_of(history)) << "one build, which had no objects to start from";
  built(40, false);
  built(60, false);
  booted(500, BootOutcome::hang);
  booted(30, BootOutcome::complete);
  const auto prices = prices_of(history);
  ASSERT_TRUE(prices);
  EXPECT_DOUBLE_EQ(prices->build_s, 50);
  EXPECT_DOUBLE_EQ(prices->boot_s, 25);
}

}  // namespace
}  // namespace bisect_run::engine
