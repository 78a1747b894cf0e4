// Commits that touch nothing the builds have read: set back, found all the same.

#include "engine/unread.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "bisect/posterior.h"
#include "engine/bisection.h"
#include "support/fake_world.h"

namespace bisect_run::engine {
namespace {

using test::FakeWorld;

/// c0 … cN; every commit touches drivers/far.c but those in `near`, which touch kernel/near.c.
struct Line {
  FakeWorld world;
  BisectionSetup setup;

  Line(std::uint32_t commits, std::uint32_t culprit, std::vector<std::uint32_t> near) {
    setup.range.boundary = 1;
    auto& touched = world.source.touched;
    touched.names = {"kernel/near.c", "drivers/far.c"};
    touched.at_both_ends = {true, true};
    for (std::uint32_t i = 0; i <= commits; ++i) {
      const std::string name = "c" + std::to_string(i);
      setup.range.nodes.push_back({.oid = {name}});
      setup.range.parents.push_back(i == 0 ? std::vector<std::uint32_t>{} : std::vector{i - 1});
      world.kernels[name].rate = i < culprit ? 100 : 90;
      world.kernels[name].reads = {"kernel/near.c"};
      const bool is_near = std::find(near.begin(), near.end(), i) != near.end();
      touched.of.push_back({is_near ? 0U : 1U});
    }
    setup.variant = "none";
    setup.question = {.metric = "m"};
    world.source.why_not = "not asked here";
  }
  struct Played {
    std::string answer;
    std::ptrdiff_t builds = 0;
  };
  Played play(const bisect::PosteriorSettings& settings = {}) {
    Prober prober(world.ports_with_source(), {}, {});
    const auto findings =
        Bisection(setup, bisect::make_posterior(setup.range, settings), prober).run();
    if (!findings || findings->answer.kind != Answer::Kind::commit) return {};
    return {findings->answer.commits.at(0).oid.hex,
            std::count_if(world.log.begin(), world.log.end(),
                          [](const auto& entry) { return entry.starts_with("build"); })};
  }
};

TEST(Unread, SavesBuilds) {
  const std::vector<std::uint32_t> near{100, 300, 500, 700};
  const Line::Played with = Line(1000, 500, near).play();
  EXPECT_EQ(with.answer, "c500");
  Line all(1000, 500, near);
  for (auto& paths : all.world.source.touched.of) paths = {0};
  const Line::Played without = all.play();
  EXPECT_EQ(without.answer, "c500");
  EXPECT_LE(with.builds, 7);
  EXPECT_GE(without.builds, with.builds + 4);
}

TEST(Unread, ACulpritThatWasSetBackIsFoundAllTheSame) {
  for (std::uint32_t culprit : {3U, 450U, 999U})
    EXPECT_EQ(Line(1000, culprit, {100, 300, 500, 700}).play().answer,
              "c" + std::to_string(culprit));
}

// What --paths leaves out is set back whether or not a build has read it.
TEST(Unread, WhatAPersonSetsBackStaysSo) {
  const auto play = [](const bisect::PosteriorSettings& settings) {
    Line line(1000, 500, {});
    for (auto& paths : line.world.source.touched.of) paths = {0};  // all are read
    return line.play(settings);
  };
  bisect::PosteriorSettings settings;
  settings.set_back = bisect::NodeSet(1001);
  for (bisect::Node node = 1; node <= 1000; ++node)
    if (node % 100 != 0) settings.set_back.insert(node);
  const Line::Played with = play(settings), without = play({});
  EXPECT_EQ(with.answer, "c500");
  EXPECT_EQ(without.answer, "c500");
  EXPECT_GE(without.builds, with.builds + 3);
}

TEST(Unread, NothingIsSetBackBeforeBothEndsAreBuilt) {
  Line line(10, 5, {});
  Prober prober(line.world.ports_with_source(), {}, {});
  const NodeIndex index(line.setup.range);
  Unread unread(line.setup.range, index, prober.ports());
  ASSERT_TRUE(prober.image({.text = "c0", .commit = {"c0"}, .patches = {}, .variant = "none"}));
  EXPECT_TRUE(unread.now(prober.history())->empty());
  ASSERT_TRUE(prober.image({.text = "c10", .commit = {"c10"}, .patches = {}, .variant = "none"}));
  EXPECT_EQ(unread.now(prober.history())->count(), 11U);
}

TEST(Unread, AFileThatOnlyAKernelInBetweenReadsCountsFromThenOn) {
  Line line(10, 5, {});
  line.world.kernels["c5"].reads = {"kernel/near.c", "drivers/far.c"};
  Prober prober(line.world.ports_with_source(), {}, {});
  const NodeIndex index(line.setup.range);
  Unread unread(line.setup.range, index, prober.ports());
  for (const char* name : {"c0", "c10", "c5"})
    ASSERT_TRUE(prober.image({.text = name, .commit = {name}, .patches = {}, .variant = "none"}));
  EXPECT_TRUE(unread.now(prober.history())->empty());
}

TEST(Unread, NothingIsSetBackWhereItIsNotKnownWhatAKernelRead) {
  Line line(10, 5, {});
  line.world.kernels["c10"].reads = {};
  Prober prober(line.world.ports_with_source(), {}, {});
  const NodeIndex index(line.setup.range);
  Unread unread(line.setup.range, index, prober.ports());
  for (const char* name : {"c0", "c10"})
    ASSERT_TRUE(prober.image({.text = name, .commit = {name}, .patches = {}, .variant = "none"}));
  EXPECT_TRUE(unread.now(prober.history())->empty());
}

}  // namespace
}  // namespace bisect_run::engine
