#include "bisect/three_way_levels.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bisect_run::bisect {
namespace {

Boots at(double level, int count, double from_s = 0) {
  Boots boots;
  for (int i = 0; i < count; ++i)
    boots.push_back({level + 0.001 * (i % 3 - 1), from_s + 60.0 * i, 0});
  return boots;
}

Levels plain_levels() {
  Levels levels;
  levels.good = 0;
  levels.bad = -0.3;
  levels.variance = 0.0004;
  return levels;
}

TEST(ThreeWayLevels, NoSingleBootDecides) {
  for (double y : {0.0, -0.3, -50.0, 50.0}) {
    const Likeness like = liken({{y, 0, 0}}, plain_levels(), 7);
    EXPECT_EQ(like.outcome, Outcome::undecided) << y;
    EXPECT_EQ(like.decided, 0U);
  }
  EXPECT_EQ(liken(at(0, 2), plain_levels(), 7).outcome, Outcome::good);
  EXPECT_EQ(liken(at(-0.3, 2), plain_levels(), 7).outcome, Outcome::bad);
  EXPECT_EQ(liken(at(-0.3, 2), plain_levels(), 7).decided, 2U);
}

TEST(ThreeWayLevels, AnOutlierIsOutvoted) {
  Boots boots = at(0, 4);
  boots[0].y = -5;
  const Likeness like = liken(boots, plain_levels(), 7);
  EXPECT_EQ(like.outcome, Outcome::good);
  EXPECT_EQ(like.decided, 4U);
}

TEST(ThreeWayLevels, TheRatioIsWalds) {
  // (m_b - m_g)(y - middle)/(1.2 s2) = -0.3 (-0.149 + 0.15) / 0.00048 = -0.625
  EXPECT_NEAR(liken({{-0.149, 0, 0}}, plain_levels(), 7).ratio, -0.625, 1e-9);
}

TEST(ThreeWayLevels, FollowsAShiftOfTheEnds) {
  Boots good = at(0, 5), bad = at(-0.3, 5);
  // An hour later both ends lie 0.1 lower.
  for (Boots* end : {&good, &bad}) {
    const Boots later = at(end->front().y + 0.001 - 0.1, 3, 3600);
    end->insert(end->end(), later.begin(), later.end());
  }
  const Levels levels = estimate_levels(good, bad, 5, {});
  ASSERT_FALSE(levels.drift.empty());
  EXPECT_NEAR(levels.settled({-0.1, 3660, 0}), 0, 0.005);
  EXPECT_NEAR(levels.settled({0, 0, 0}), 0, 0.005);
  EXPECT_NEAR(levels.settled({-0.05, 1890, 0}), 0, 0.01);  // half way
}

TEST(ThreeWayLevels, EndsThatStayAreLeftAlone) {
  Boots good = at(0, 5), bad = at(-0.3, 5);
  good.push_back({0.02, 3600, 0});
  bad.push_back({-0.32, 3630, 0});
  EXPECT_TRUE(estimate_levels(good, bad, 5, {}).drift.empty());
}

TEST(ThreeWayLevels, TheFirstDecisiveLookCounts) {
  const ThreeWaySettings settings;
  EXPECT_EQ(test_ends(at(0, 2), at(-0.5, 2), settings).state, EndsTest::State::more);
  EndsTest test = test_ends(at(0, 3), at(-0.5, 3), settings);
  EXPECT_EQ(test.state, EndsTest::State::apart);
  EXPECT_EQ(test.pairs, 3U);
  Boots more = at(0, 3);
  for (int i = 0; i < 20; ++i) more.push_back({-0.5, 1000, 0});  // later boots take nothing back
  EXPECT_EQ(test_ends(more, at(-0.5, 23), settings).pairs, 3U);
}

}  // namespace
}  // namespace bisect_run::bisect
