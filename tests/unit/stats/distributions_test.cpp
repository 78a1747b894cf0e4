#include "stats/distributions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace bisect_run::stats {
namespace {

TEST(Normal, QuantilesOfTheTables) {
  EXPECT_NEAR(normal_quantile(0.975).value(), 1.959963985, 1e-8);
  EXPECT_NEAR(normal_quantile(0.995).value(), 2.575829304, 1e-8);
  EXPECT_NEAR(normal_quantile(1e-10).value(), -6.361340902, 1e-8);
  EXPECT_DOUBLE_EQ(normal_quantile(0.5).value(), 0);
  EXPECT_FALSE(normal_quantile(0));
  EXPECT_FALSE(normal_quantile(1));
  EXPECT_FALSE(normal_quantile(std::nan("")));
}

TEST(Student, QuantilesOfTheTables) {
  EXPECT_NEAR(student_quantile(0.975, 1).value(), 12.7062, 1e-4);
  EXPECT_NEAR(student_quantile(0.975, 4).value(), 2.77645, 1e-5);
  EXPECT_NEAR(student_quantile(0.975, 10).value(), 2.22814, 1e-5);
  EXPECT_NEAR(student_quantile(0.999, 4).value(), 7.17318, 1e-5);
  EXPECT_NEAR(student_quantile(0.999, 8).value(), 4.50079, 1e-5);
  EXPECT_NEAR(student_quantile(0.025, 120).value(), -1.97993, 1e-5);
  EXPECT_FALSE(student_quantile(0.5, 0));
  EXPECT_FALSE(student_quantile(1.5, 3));
}

TEST(Student, ClosedFormsForOneAndTwoDegrees) {
  for (double t : {-1e6, -30.0, -2.0, -0.3, 0.0, 0.1, 1.0, 5.0, 400.0}) {
    EXPECT_NEAR(student_cdf(t, 1), 0.5 + std::atan(t) / std::numbers::pi, 1e-13) << t;
    EXPECT_NEAR(student_cdf(t, 2), 0.5 + t / (2 * std::sqrt(2 + t * t)), 1e-13) << t;
  }
}

/// Simpson's rule over the density.
double integrated_cdf(double t, double df) {
  const double scale =
      std::exp(std::lgamma((df + 1) / 2) - std::lgamma(df / 2)) / std::sqrt(df * std::numbers::pi);
  const auto density = [&](double x) { return scale * std::pow(1 + x * x / df, -(df + 1) / 2); };
  const int steps = 20'000;
  const double width = t / steps;
  double sum = density(0) + density(t);
  for (int i = 1; i < steps; ++i) sum += density(i * width) * (i % 2 == 1 ? 4 : 2);
  return 0.5 + sum * width / 3;
}

TEST(Student, AgreesWithNumericalIntegration) {
  for (double df : {0.7, 3.0, 7.5, 29.0, 898.0})
    for (double t : {0.01, 0.5, 1.3, 3.0, 9.0})
      EXPECT_NEAR(student_cdf(t, df), integrated_cdf(t, df), 1e-9) << df << " " << t;
}

TEST(Student, QuantileInvertsCdf) {
  for (double df : {1.0, 2.5, 9.0, 1000.0})
    for (double p : {1e-12, 1e-3, 0.2, 0.5, 0.7, 0.9999})
      EXPECT_NEAR(student_cdf(student_quantile(p, df).value(), df) / p, 1, 1e-9) << df << " " << p;
}

TEST(Student, ExtremesStayProbabilities) {
  EXPECT_EQ(student_cdf(INFINITY, 3), 1);
  EXPECT_EQ(student_cdf(-INFINITY, 3), 0);
  EXPECT_EQ(student_cdf(1e200, 3), 1);
  EXPECT_TRUE(std::isnan(student_cdf(std::nan(""), 3)));
  EXPECT_NEAR(student_cdf(1, 1e9), normal_cdf(1), 1e-8);
}

}  // namespace
}  // namespace bisect_run::stats
