#include "stats/ends.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "stats/noise_model.h"
#include "support/dense.h"

namespace bisect_run::stats {
namespace {

using test::Matrix;
using test::Vector;

std::vector<EndBoot> pairs(std::mt19937_64& random, int count, double delta, double sd) {
  std::normal_distribution<double> normal;
  std::vector<EndBoot> boots;
  double now = 0;
  for (int i = 0; i < 2 * count; ++i) {
    const bool bad = (i / 2 % 2 == 0) == (i % 2 == 1);
    boots.push_back({(bad ? delta : 0) + sd * normal(random), now += 30, bad});
  }
  return boots;
}

/// The mixture over the drift cells, each by dense generalised least squares.
EndsLook dense_look(const std::vector<EndBoot>& boots, double b0) {
  const std::size_t n = boots.size();
  Vector y, one(n, 1), bad;
  for (const EndBoot& boot : boots) {
    y.push_back(boot.y);
    bad.push_back(boot.bad ? 1 : 0);
  }
  const double a = 2 + static_cast<double>(n) / 2;
  Vector weight, delta, variance;
  for (const NoiseCell& cell : drift_grid()) {
    Matrix v(n, Vector(n, 0));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        v[i][j] = (i == j ? 1 : 0) + cell.rho_q * std::min(boots[i].time_s, boots[j].time_s);
    const Matrix m = test::plus_outer(test::plus_outer(v, 1e6, one), 2500, bad);
    const auto solved = test::solve(m, y);
    const double b = b0 + 0.5 * test::dot(y, solved.x);
    weight.push_back(
        std::exp(cell.log_weight - 0.5 * solved.log_det - a * std::log(b) + 100 * std::log(1e-3)));
    // Posterior of Delta: precision of the two coefficients with their priors.
    const Vector by_one = test::solve(v, one).x, by_bad = test::solve(v, bad).x;
    const Matrix precision{{test::dot(one, by_one) + 1e-6, test::dot(one, by_bad)},
                           {test::dot(one, by_bad), test::dot(bad, by_bad) + 1 / 2500.0}};
    delta.push_back(test::solve(precision, {test::dot(by_one, y), test::dot(by_bad, y)}).x[1]);
    variance.push_back(b / a * test::solve(precision, {0, 1}).x[1]);
  }
  double total = 0;
  for (double w : weight) total += w;
  EndsLook look;
  for (std::size_t i = 0; i < weight.size(); ++i) look.delta += weight[i] / total * delta[i];
  for (std::size_t i = 0; i < weight.size(); ++i)
    look.error += weight[i] / total * (variance[i] + std::pow(delta[i] - look.delta, 2));
  look.error = std::sqrt(look.error);
  return look;
}

TEST(Ends, LookMatchesTheDenseMixture) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 20; ++round) {
    const auto boots = pairs(random, 3 + round, -0.05, 0.02);
    const EndsLook ours = look_at_ends(boots, 0.0008);
    const EndsLook theirs = dense_look(boots, 0.0008);
    EXPECT_NEAR(ours.delta, theirs.delta, 1e-7);
    EXPECT_NEAR(ours.error, theirs.error, 1e-7);
  }
}

TEST(Ends, C24ArmsMeasuredApartAreLessCertain) {
  // All of GOOD, then all of BAD, on a machine that drifts: the cells disagree about the change.
  const auto boots = [](bool in_turn) {
    std::mt19937_64 random(4);
    std::normal_distribution<double> normal(0, 0.01);
    std::vector<EndBoot> made;
    for (int i = 0; i < 20; ++i) {
      const bool bad = in_turn ? (i + 1) / 2 % 2 == 1 : i >= 10;
      made.push_back({(bad ? -0.1 : 0) - 0.006 * i + normal(random), 600.0 * i, bad});
    }
    return made;
  };
  const EndsLook ours = look_at_ends(boots(false), 0.0008);
  const EndsLook theirs = dense_look(boots(false), 0.0008);
  EXPECT_NEAR(ours.delta, theirs.delta, 1e-7);
  EXPECT_NEAR(ours.error, theirs.error, 1e-7);
  EXPECT_GT(ours.error, 1.3 * look_at_ends(boots(true), 0.0008).error);
}

TEST(Ends, PilotFollowsTheNoiseBetweenFloorAndUsual) {
  const std::vector<EndBoot> boots{
      {0.010, 0, false}, {0.014, 1, false}, {1.000, 2, true}, {1.004, 3, true}};
  // Variance 8e-6 at both ends: twice its root is 0.00566.
  EXPECT_NEAR(pilot_sd(boots, 0.002), 2 * std::sqrt(8e-6), 1e-12);
  EXPECT_NEAR(pilot_sd(boots, 0.01), 0.01, 1e-12);
  std::mt19937_64 random(1);
  EXPECT_NEAR(pilot_sd(pairs(random, 5, 0, 0.5), 0.002), 0.02, 1e-12);
  EXPECT_NEAR(pilot_sd(std::vector<EndBoot>{{0, 0, false}, {0, 1, true}}, 0.002), 0.02, 1e-12);
}

TEST(Ends, PlainlyApartNeedsFlatEndsAndAGap) {
  const auto boots = [](double noise, double gap) {
    return std::vector<EndBoot>{
        {0, 0, false}, {noise, 1, false}, {-gap, 2, true}, {-gap + noise, 3, true}};
  };
  EXPECT_TRUE(plainly_apart(boots(0.005, 0.03), 0.002));
  EXPECT_FALSE(plainly_apart(boots(0.007, 0.03), 0.002));
  EXPECT_FALSE(plainly_apart(boots(0.005, 0.019), 0.002));
  EXPECT_FALSE(plainly_apart(std::vector<EndBoot>{{0, 0, false}}, 0.002));
  // Not flat, but 7 and 5 ranges apart.
  EXPECT_TRUE(plainly_apart(boots(0.05, 0.35), 0.002));
  EXPECT_FALSE(plainly_apart(boots(0.05, 0.25), 0.002));
}

TEST(Ends, EqualEndsAreHardlyEverPlainlyApart) {
  std::mt19937_64 random(8);
  int apart = 0;
  for (int i = 0; i < 200'000; ++i) apart += plainly_apart(pairs(random, 3, 0, 0.05), 0.002);
  EXPECT_LE(apart, 45);  // 15 by ranges and 2 by being flat are expected
}

TEST(Ends, IdenticalBootsGiveNoDifferenceAndNoNan) {
  std::vector<EndBoot> boots;
  for (int i = 0; i < 80; ++i) boots.push_back({0, 30.0 * i, i % 2 == 1});
  const EndsLook look = look_at_ends(boots, 2 * 0.002 * 0.002);
  EXPECT_EQ(look.delta, 0);
  EXPECT_GT(look.error, 0);
  EXPECT_GT(look.sigma2, 0);
}

}  // namespace
}  // namespace bisect_run::stats
