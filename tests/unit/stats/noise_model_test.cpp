#include "stats/noise_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/dense.h"

namespace bisect_run::stats {
namespace {

using test::Matrix;
using test::Vector;

struct Boots {
  Vector y, time, weight;
  std::vector<std::size_t> build;
  std::size_t size() const { return y.size(); }
};

Boots random_boots(std::mt19937_64& random, std::size_t count) {
  Boots boots;
  std::normal_distribution<double> normal;
  double now = 0;
  for (std::size_t i = 0; i < count; ++i) {
    boots.y.push_back(0.05 * normal(random));
    boots.time.push_back(now += 30 + static_cast<double>(random() % 300));
    boots.weight.push_back(random() % 5 == 0 ? 1 + static_cast<double>(random() % 40) : 1);
    boots.build.push_back(random() % (1 + i / 2));
  }
  return boots;
}

Matrix dense_v(const Boots& boots, const NoiseCell& cell) {
  Matrix v(boots.size(), Vector(boots.size(), 0));
  for (std::size_t i = 0; i < boots.size(); ++i)
    for (std::size_t j = 0; j < boots.size(); ++j)
      v[i][j] = (i == j ? boots.weight[i] : 0) +
                (boots.build[i] == boots.build[j] ? cell.rho_u : 0) +
                cell.rho_q * std::min(boots.time[i], boots.time[j]);
  return v;
}

Vector indicator(const Boots& boots, std::size_t build) {
  Vector in(boots.size(), 0);
  for (std::size_t i = 0; i < boots.size(); ++i) in[i] = boots.build[i] == build ? 1 : 0;
  return in;
}

TEST(NoiseModel, DotProductsAreThoseOfTheInverse) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20; ++round)
    for (const NoiseCell& cell : noise_grid()) {
      const Boots boots = random_boots(random, 2 + static_cast<std::size_t>(round) * 2);
      Whitened data(cell);
      for (std::size_t i = 0; i < boots.size(); ++i)
        data.append(boots.y[i], boots.time[i], boots.build[i], boots.weight[i]);
      const Matrix v = dense_v(boots, cell);
      const auto by_y = test::solve(v, boots.y);
      const Vector one(boots.size(), 1);
      EXPECT_NEAR(data.log_det(), by_y.log_det, 1e-9);
      EXPECT_NEAR(data.yy(), test::dot(boots.y, by_y.x), 1e-9);
      EXPECT_NEAR(data.y1(), test::dot(one, by_y.x), 1e-9);
      EXPECT_NEAR(data.ones(), test::dot(one, test::solve(v, one).x), 1e-9);
      for (std::size_t a = 0; a < data.builds(); ++a) {
        const Vector in_a = indicator(boots, a);
        EXPECT_NEAR(data.build_y(a), test::dot(in_a, by_y.x), 1e-9);
        const auto by_a = test::solve(v, in_a);
        EXPECT_NEAR(data.build_1(a), test::dot(one, by_a.x), 1e-9);
        for (std::size_t b = 0; b < data.builds(); ++b)
          EXPECT_NEAR(data.build_build(a, b), test::dot(indicator(boots, b), by_a.x), 1e-9);
      }
    }
}

TEST(NoiseModel, GridWeightsAreProbabilities) {
  for (const auto* grid : {&noise_grid(), &drift_grid()}) {
    double sum = 0;
    for (const NoiseCell& cell : *grid) sum += std::exp(cell.log_weight);
    EXPECT_NEAR(sum, 1, 1e-12);
  }
  EXPECT_EQ(noise_grid().size(), 12U);
  EXPECT_EQ(drift_grid().size(), 4U);
  for (const NoiseCell& cell : drift_grid()) EXPECT_EQ(cell.rho_u, 0);
  // Drift of 4 standard deviations of a boot over 8 hours.
  EXPECT_NEAR(noise_grid().back().rho_q * 28800, 16, 1e-12);
}

TEST(NoiseModel, NineHundredEqualBootsAtOneMoment) {
  for (const NoiseCell& cell : {noise_grid().front(), noise_grid().back()}) {
    Whitened data(cell);
    for (int i = 0; i < 900; ++i) data.append(0, 1e5, 0, 1);
    EXPECT_EQ(data.yy(), 0);
    EXPECT_TRUE(std::isfinite(data.log_det()));
    EXPECT_GT(data.ones(), 0);
  }
}

}  // namespace
}  // namespace bisect_run::stats
