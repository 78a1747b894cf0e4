#include "stats/group_levels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/dense.h"

namespace bisect_run::stats {
namespace {

using test::Matrix;
using test::Vector;

TEST(GroupLevels, AreGeneralisedLeastSquares) {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal(0, 0.02);
  const NoiseCell cell = noise_grid()[10];
  for (int round = 0; round < 20; ++round) {
    const std::size_t n = 16;
    const std::vector<std::size_t> group_of{0, 1, 2, 1, 0};
    Whitened data(cell);
    Vector y, time;
    std::vector<std::size_t> build;
    for (std::size_t i = 0; i < n; ++i) {
      build.push_back(i % 5);
      time.push_back(100.0 * static_cast<double>(i));
      y.push_back(0.1 * static_cast<double>(group_of[build[i]]) + normal(random));
      data.append(y[i], time[i], build[i], 1);
    }
    Matrix v(n, Vector(n, 0)), columns(3, Vector(n, 0)), precision(3, Vector(3, 0));
    for (std::size_t i = 0; i < n; ++i) {
      columns[group_of[build[i]]][i] = 1;
      for (std::size_t j = 0; j < n; ++j)
        v[i][j] = (i == j ? 1 : 0) + (build[i] == build[j] ? cell.rho_u : 0) +
                  cell.rho_q * std::min(time[i], time[j]);
    }
    Vector right;
    for (std::size_t g = 0; g < 3; ++g) {
      const Vector by = test::solve(v, columns[g]).x;
      right.push_back(test::dot(by, y));
      for (std::size_t h = 0; h < 3; ++h) precision[g][h] = test::dot(by, columns[h]);
      precision[g][g] += 1e-6;
    }
    const Vector expected = test::solve(precision, right).x;
    const GroupLevels levels = fit_groups(data, group_of, 3, {}).value();
    for (std::size_t g = 0; g < 3; ++g) EXPECT_NEAR(levels.level[g], expected[g], 1e-9);
    const Position place = position(levels, 0, 2, 1).value();
    EXPECT_NEAR(place.at, (expected[1] - expected[0]) / (expected[2] - expected[0]), 1e-9);
    EXPECT_GT(place.error, 0);
  }
}

TEST(GroupLevels, ErrorOfAPlaceByTheDeltaMethod) {
  // Independent levels 0, 10 and 4 with variances 1, 4 and 9:
  // var r = (9 + 0.4^2 * 4 + 0.6^2 * 1) / 100.
  GroupLevels levels;
  levels.level = {0, 10, 4};
  levels.covariance = {{1, 0, 0}, {0, 4, 0}, {0, 0, 9}};
  const Position place = position(levels, 0, 1, 2).value();
  EXPECT_NEAR(place.at, 0.4, 1e-12);
  EXPECT_NEAR(place.error, std::sqrt((9 + 0.16 * 4 + 0.36) / 100), 1e-12);
  levels.level = {3, 3, 4};
  EXPECT_FALSE(position(levels, 0, 1, 2));
}

TEST(GroupLevels, AnEmptyGroupHasNoLevel) {
  Whitened data(noise_grid().front());
  data.append(0, 0, 0, 1);
  EXPECT_FALSE(fit_groups(data, std::vector<std::size_t>{0}, 2, {}));
}

}  // namespace
}  // namespace bisect_run::stats
