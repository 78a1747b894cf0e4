#include "stats/mutual_information.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace bisect_run::stats {
namespace {

/// The definition, term by term, on a fine grid.
double by_definition(double p, double x) {
  const auto phi = [](double v) { return std::exp(-v * v / 2) / std::sqrt(2 * std::numbers::pi); };
  double sum = 0;
  const double step = 0.002;
  for (double v = -9; v <= x + 9; v += step) {
    const double good = phi(v), bad = phi(v - x), m = (1 - p) * good + p * bad;
    sum += (1 - p) * good * std::log2(good / m) + p * bad * std::log2(bad / m);
  }
  return sum * step;
}

TEST(MutualInformation, PublishedValues) {
  EXPECT_NEAR(mutual_information(0.5, 1), 0.1607, 5e-5);
  EXPECT_NEAR(mutual_information(0.5, 2), 0.4859, 5e-5);
  EXPECT_NEAR(mutual_information(0.1, 2), 0.2049, 5e-5);
  EXPECT_NEAR(mutual_information(0.5, 4), 0.9128, 5e-5);
  EXPECT_NEAR(mutual_information(0.5, 6), 0.9944, 5e-5);
}

TEST(MutualInformation, MatchesTheDefinition) {
  for (double p : {0.01, 0.2, 0.37, 0.5, 0.9})
    for (double x : {0.1, 0.7, 1.5, 3.0, 7.7, 12.0}) {
      EXPECT_NEAR(integrate_mutual_information(p, x), by_definition(p, x), 1e-6) << p << " " << x;
      EXPECT_NEAR(mutual_information(p, x), by_definition(p, x), 1e-6) << p << " " << x;
    }
  EXPECT_NEAR(mutual_information(0.333, 1.234), by_definition(0.333, 1.234),
              2e-3);  // between nodes
}

TEST(MutualInformation, IsBoundedAndGrowsWithTheEffect) {
  for (double p : {0.0, 0.05, 0.5, 0.77, 1.0}) {
    double last = 0;
    for (double x = 0; x < 14; x += 0.05) {
      const double bits = mutual_information(p, x);
      EXPECT_GE(bits, last - 1e-12);
      EXPECT_LE(bits, 1);
      EXPECT_NEAR(bits, mutual_information(1 - p, x), 1e-12);
      last = bits;
    }
  }
  EXPECT_NEAR(mutual_information(0.5, 12), 1, 1e-6);
}

TEST(MutualInformation, NeverAnythingButANumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(mutual_information(nan, 1), 0);
  EXPECT_EQ(mutual_information(0.5, nan), 0);
  EXPECT_NEAR(mutual_information(0.5, inf), 1, 1e-6);
  EXPECT_EQ(mutual_information(0.5, -inf), mutual_information(0.5, 0));
  EXPECT_NEAR(mutual_information(7, 3), 0, 1e-9);
}

}  // namespace
}  // namespace bisect_run::stats
