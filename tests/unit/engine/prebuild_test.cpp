// Kernels built ahead: fewer waits, the same answer.

#include <gtest/gtest.h>

#include <algorithm>

#include "bisect/posterior.h"
#include "engine/bisection.h"
#include "support/fake_world.h"

namespace bisect_run::engine {
namespace {

using test::FakeWorld;

/// Counts how often something is built, whatever the number of kernels.
struct Counting : FakeWorld {
  int waits = 0;
  std::size_t most_at_once = 0;
  std::vector<Result<Image>> build_together(std::span<const KernelSpec> specs) override {
    ++waits;
    most_at_once = std::max(most_at_once, specs.size());
    std::vector<Result<Image>> outcomes;
    for (const auto& spec : specs) outcomes.push_back(FakeWorld::build(spec));
    return outcomes;
  }
  Result<Image> build(const KernelSpec& spec) override {
    ++waits;
    return FakeWorld::build(spec);
  }
};

struct Played {
  int waits = 0;
  std::size_t most_at_once = 0;
  std::string answer;
};

Played play(std::size_t prebuild) {
  Counting world;
  BisectionSetup setup;
  setup.range.boundary = 1;
  for (std::uint32_t i = 0; i <= 500; ++i) {
    const std::string name = "c" + std::to_string(i);
    setup.range.nodes.push_back({.oid = {name}});
    setup.range.parents.push_back(i == 0 ? std::vector<std::uint32_t>{} : std::vector{i - 1});
    world.kernels[name].rate = i < 333 ? 100 : 50;
  }
  setup.variant = "none";
  setup.question = {.metric = "m"};
  setup.prebuild = prebuild;
  Prober prober(world.ports(), {}, {});
  const auto findings = Bisection(setup, bisect::make_posterior(setup.range), prober).run();
  EXPECT_TRUE(findings && findings->answer.kind == Answer::Kind::commit);
  return {world.waits, world.most_at_once, findings->answer.commits.at(0).oid.hex};
}

TEST(Prebuild, SavesWaitsAndNamesTheSameCommit) {
  const Played one = play(1), three = play(3);
  EXPECT_EQ(one.answer, "c333");
  EXPECT_EQ(three.answer, "c333");
  EXPECT_EQ(one.most_at_once, 0U);
  EXPECT_EQ(three.most_at_once, 3U);
  EXPECT_LE(three.waits, one.waits - 3);
}

}  // namespace
}  // namespace bisect_run::engine
