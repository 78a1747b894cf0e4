#include "bisect/one_step.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "bisect/graph.h"
#include "support/histories.h"
#include "support/simulated_lab.h"

namespace bisect_run::bisect {
namespace {

using test::one_change;
using test::play;
using test::World;

constexpr double kChange = 0.10;

Range three() {
  const auto line = test::linear_range(2);
  return judging_range(line.nodes[0], line.nodes[1], line.nodes[2]);
}

/// Boots of a calibration, 30 s apart, with the level of both ends moved by `shift`.
std::vector<KnownBoot> calibration(std::uint64_t seed, double shift = 0) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<KnownBoot> boots;
  for (int pair = 0; pair < 5; ++pair)
    for (int i = 0; i < 2; ++i) {
      const bool bad = (i == 0) == (pair % 2 == 1);
      boots.push_back({bad, shift - (bad ? kChange : 0) + 0.02 * normal(random),
                       30.0 * static_cast<double>(boots.size() + 1)});
    }
  return boots;
}

TEST(EndsOnly, ConcludesWhenTheEndsAreToldApart) {
  const auto range = test::linear_range(1);
  const auto strategy = make_ends_only(range, 0.02);
  const auto played = play(*strategy, one_change(Graph(range), 1, kChange), 7);
  EXPECT_EQ(played.conclusion.kind, Conclusion::Kind::commit);
  EXPECT_EQ(played.conclusion.nodes, std::vector<Node>{1});
  ASSERT_TRUE(played.conclusion.delta);
  EXPECT_NEAR(*played.conclusion.delta, -kChange, 0.04);
  EXPECT_LE(played.boots, 22);
  EXPECT_FALSE(played.evidence.boots.empty());
}

TEST(EndsOnly, RefusesEqualEnds) {
  const auto range = test::linear_range(1);
  const auto strategy = make_ends_only(range, 0.02);
  World world = one_change(Graph(range), 1, 0.0);
  EXPECT_EQ(play(*strategy, world, 3).conclusion.kind, Conclusion::Kind::refused);
}

/// Levels and noise are given, so the right verdict is known: 200 subjects, half of them bad.
TEST(Judging, IsRightAndCheap) {
  const auto range = three();
  int wrong = 0, undecided = 0, boots = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const bool bad = seed % 2 == 0;
    const auto strategy = make_judging(range, calibration(seed), {});
    const auto played =
        play(*strategy, one_change(Graph(range), bad ? kSubject : 2, kChange), seed + 1000);
    boots += played.boots;
    if (played.conclusion.kind != Conclusion::Kind::commit)
      ++undecided;
    else
      wrong += (played.conclusion.nodes.front() == kSubject) != bad;
  }
  EXPECT_LE(wrong, 1);
  EXPECT_LE(undecided, 2);
  EXPECT_LT(boots / 200.0, 12);
}

/// The whole machine has become as much slower since as BAD was: a good subject now stands where
/// BAD stood, or a bad one where GOOD stood.
TEST(Judging, AMachineThatHasMovedSinceIsNotBlamedOnTheSubject) {
  const auto range = three();
  int wrong = 0, right = 0;
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    const bool bad = seed % 2 == 0;
    const auto strategy = make_judging(range, calibration(seed, bad ? -kChange : kChange), {});
    const auto played =
        play(*strategy, one_change(Graph(range), bad ? kSubject : 2, kChange), seed + 500);
    if (played.conclusion.kind != Conclusion::Kind::commit) continue;
    ((played.conclusion.nodes.front() == kSubject) == bad ? right : wrong) += 1;
  }
  EXPECT_LE(wrong, 1);
  EXPECT_GE(right, 78);
}

TEST(Judging, C8ASubjectThatCannotBeTestedIsNoVote) {
  const auto range = three();
  const auto strategy = make_judging(range, calibration(1), {});
  World world = one_change(Graph(range), kSubject, kChange);
  world.fails = [](Node node) { return node == kSubject ? "does not build" : ""; };
  const auto played = play(*strategy, world, 1);
  EXPECT_EQ(played.conclusion.kind, Conclusion::Kind::none);
  EXPECT_NE(played.conclusion.reason.find("does not build"), std::string::npos);
  EXPECT_EQ(played.boots, 0);
}

TEST(Judging, StaysWithinItsBoots) {
  const auto range = three();
  const auto strategy = make_judging(range, calibration(4), {.most_boots = 3});
  World world = one_change(Graph(range), kSubject, kChange);
  world.level = [](Node, double) { return -kChange / 2; };  // in the middle: no verdict
  const auto played = play(*strategy, world, 9);
  EXPECT_LE(played.boots, 4);
  EXPECT_NE(played.conclusion.kind, Conclusion::Kind::commit);
}

}  // namespace
}  // namespace bisect_run::bisect
