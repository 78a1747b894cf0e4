#include <gtest/gtest.h>

#include <cmath>

#include "bisect/posterior.h"
#include "engine/bisection.h"
#include "engine/evidence.h"
#include "support/fake_world.h"
#include "support/ported_world.h"

// Kernels of the same commit at other addresses.

namespace bisect_run::engine {
namespace {

const Question kQuestion{.metric = "m"};
const std::vector<std::string> kLayouts{"none,layout1", "none,layout2"};

KernelSpec spec(const std::string& commit, const std::string& variant = "none") {
  return {commit, {commit}, {}, variant};
}

BuildRecord built(const KernelSpec& of, const std::string& signature) {
  Image image;
  image.signature = signature;
  return {of, image, std::nullopt};
}

BuildRecord broken(const KernelSpec& of) {
  return {of, std::nullopt, Error{.kind = ErrorKind::skip_build, .message = "does not build"}};
}

BootRecord booted(const KernelSpec& of, double rate) {
  BootRecord record{.spec = of};
  record.boot.outcome = BootOutcome::complete;
  Sample sample;
  sample.metric = "m";
  sample.value = rate;
  record.samples = {sample};
  return record;
}

Range two_commits() {
  Range range;
  range.boundary = 1;
  range.nodes = {{.oid = {"a"}}, {.oid = {"b"}}};
  range.parents = {{}, {0}};
  return range;
}

class Layouts : public testing::Test {
 protected:
  bisect::Evidence evidence() const { return gather(history_, index_, {}, kQuestion); }
  std::optional<std::string> variant_of(std::uint32_t layout) const {
    return layout_of({.node = 1, .why = {}, .layout = layout}, history_, index_, evidence());
  }

  const Range range_ = two_commits();
  const NodeIndex index_{range_, "none", kLayouts};
  History history_;
};

TEST_F(Layouts, AreFurtherBuildsOfTheirCommit) {
  history_.builds = {built(spec("b"), "plain"), built(spec("b", "none,layout1"), "moved")};
  history_.boots = {booted(spec("b"), 100), booted(spec("b", "none,layout1"), 104)};
  const auto now = evidence();
  ASSERT_EQ(now.boots.size(), 2U);
  EXPECT_EQ(now.boots[0].node, now.boots[1].node);
  EXPECT_NE(now.boots[0].build, now.boots[1].build);
  EXPECT_EQ(now.built, std::vector<bisect::Node>{1});
}

TEST_F(Layouts, ThatComeOutAsTheSameCodeAreTheSameBuildAndCountOnce) {
  history_.builds = {built(spec("b"), "plain"), built(spec("b", "none,layout1"), "plain")};
  history_.boots = {booted(spec("b"), 100), booted(spec("b", "none,layout1"), 104)};
  const auto now = evidence();
  ASSERT_EQ(now.boots.size(), 2U);
  EXPECT_EQ(now.boots[0].build, now.boots[1].build);
}

TEST_F(Layouts, OneThatFailsSaysNothingAboutItsCommit) {
  history_.builds = {built(spec("b"), "plain"), broken(spec("b", "none,layout1"))};
  EXPECT_TRUE(evidence().skipped.empty());
  EXPECT_TRUE(evidence().layouts_fail);
  EXPECT_EQ(variant_of(1), "none,layout2");
}

TEST_F(Layouts, AreNumberedAsTheyWereBootedFirst) {
  history_.builds = {built(spec("b"), "plain")};
  history_.boots = {booted(spec("b"), 100)};
  EXPECT_EQ(variant_of(0), std::nullopt);
  EXPECT_EQ(variant_of(1), "none,layout1");
  history_.builds.push_back(built(spec("b", "none,layout1"), "one"));
  EXPECT_EQ(variant_of(1), "none,layout1");  // built, and waiting for its boot
  history_.builds.push_back(built(spec("b", "none,layout2"), "two"));
  history_.boots.push_back(booted(spec("b", "none,layout2"), 100));
  history_.boots.push_back(booted(spec("b", "none,layout1"), 100));
  EXPECT_EQ(variant_of(1), "none,layout2");
  EXPECT_EQ(variant_of(2), "none,layout1");
  EXPECT_EQ(variant_of(3), std::nullopt);
}

TEST_F(Layouts, OfOtherVariantsAreNoEvidence) {
  history_.builds = {built(spec("b", "all,layout1"), "other")};
  history_.boots = {booted(spec("b", "all,layout1"), 100)};
  EXPECT_TRUE(evidence().boots.empty());
}

/// Luck of 1 % a build, where an effect of 7 % is sought: boots of one build say nothing about it.
/// The engine has to build commits again, and may not take luck for the change.
TEST(LayoutLuck, TheEngineBuildsThemWhereLuckHidesTheLevel) {
  constexpr int kRuns = 8;
  int right = 0, wrong = 0, further = 0, idle = 0;
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    const Range range = test::linear_range(128);
    const bisect::Graph graph(range);
    test::WorldOptions options;
    options.commits = 128;
    options.effect = 0.07;
    options.layout = 0.01;
    test::BisectWorld world(options, graph, seed);
    bisect::PosteriorSettings settings;
    settings.prices = {options.build_s, options.boot_s};
    settings.most_layouts = 7;
    const auto result =
        test::play_engine(range, bisect::make_posterior(graph, settings), world, 1, 6);
    right += result.kind == test::RunResult::Kind::right ? 1 : 0;
    wrong += result.kind == test::RunResult::Kind::wrong ? 1 : 0;
    further += result.layouts;
    idle += result.idle_layouts;
  }
  EXPECT_GE(right, 7);
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(further, 0);
  EXPECT_EQ(idle, 0);
}

}  // namespace
}  // namespace bisect_run::engine
