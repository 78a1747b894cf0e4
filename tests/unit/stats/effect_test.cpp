#include "stats/effect.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace bisect_run::stats {
namespace {

using Values = std::vector<double>;

TEST(Effect, WelchByHand) {
  // means 2 and 11, variances 1 and 4, n 3 and 4: square = 1/3 + 1 = 4/3,
  // df = (4/3)^2 / ((1/3)^2/2 + 1/3) = 4.5714, t(.975) = 2.6456 (interpolated tables: 2.64..2.65).
  const Values good{1, 2, 3};
  const Values bad{11 - std::sqrt(6.0), 11, 11, 11 + std::sqrt(6.0)};
  const Effect effect = difference(good, bad).value();
  EXPECT_NEAR(effect.value, 9, 1e-12);
  ASSERT_TRUE(effect.interval);
  EXPECT_NEAR(effect.interval->high - 9, 2.645 * std::sqrt(4.0 / 3), 5e-3);
  EXPECT_NEAR(9 - effect.interval->low, effect.interval->high - 9, 1e-12);
}

TEST(Effect, RelativeEffectIsARatio) {
  const Effect effect = relative_effect(Values{10, 40}, Values{1, 4}).value();
  EXPECT_NEAR(effect.value, -0.9, 1e-12);
}

TEST(Effect, OneBootASideHasNoInterval) {
  const Effect effect = relative_effect(Values{50}, Values{25}).value();
  EXPECT_NEAR(effect.value, -0.5, 1e-12);
  EXPECT_FALSE(effect.interval);
}

TEST(Effect, EqualBootsGiveAPoint) {
  const Effect effect = relative_effect(Values{50, 50}, Values{25, 25}).value();
  ASSERT_TRUE(effect.interval);
  EXPECT_NEAR(effect.interval->low, -0.5, 1e-12);
  EXPECT_NEAR(effect.interval->high, -0.5, 1e-12);
}

TEST(Effect, NothingFromBrokenInput) {
  EXPECT_FALSE(relative_effect(Values{}, Values{1}));
  EXPECT_FALSE(relative_effect(Values{1}, Values{}));
  EXPECT_FALSE(relative_effect(Values{1, 0}, Values{1}));
  EXPECT_FALSE(relative_effect(Values{1}, Values{1, NAN}));
  EXPECT_FALSE(difference(Values{INFINITY}, Values{1}));
  EXPECT_FALSE(relative_effect(Values{5e-324}, Values{1e308}));
}

TEST(Effect, IntervalCoversTheTruthAsOftenAsItSays) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise(0, 0.05);
  int covered = 0;
  const int runs = 4000;
  for (int run = 0; run < runs; ++run) {
    Values good, bad;
    for (int boot = 0; boot < 5; ++boot) {
      good.push_back(std::exp(noise(random)));
      bad.push_back(std::exp(noise(random) * 2 - 0.1));
    }
    const Effect effect = relative_effect(good, bad).value();
    const double truth = std::expm1(-0.1);
    covered += effect.interval->low <= truth && truth <= effect.interval->high;
  }
  EXPECT_NEAR(covered / double(runs), 0.95, 0.015);
}

}  // namespace
}  // namespace bisect_run::stats
