#include "stats/likelihood.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/dense.h"

namespace bisect_run::stats {
namespace {

using test::Matrix;
using test::Vector;

/// A random experiment: 5 builds, two steps over builds, in one cell.
struct Experiment {
  Whitened data{noise_grid()[7]};
  Matrix v;
  Vector y, first, second, one;

  explicit Experiment(std::mt19937_64& random, std::size_t boots = 14) {
    const NoiseCell cell = data.cell();
    std::normal_distribution<double> normal;
    Vector time;
    std::vector<std::size_t> build;
    for (std::size_t i = 0; i < boots; ++i) {
      build.push_back(i < 5 ? i : random() % 5);
      time.push_back(40.0 * static_cast<double>(i + 1));
      first.push_back(build[i] >= 2 ? 1 : 0);
      second.push_back(build[i] >= 4 ? 1 : 0);
      one.push_back(1);
      y.push_back(0.02 * normal(random) - 0.04 * first[i] - 0.03 * second[i]);
      data.append(y[i], time[i], build[i], 1);
    }
    v.assign(boots, Vector(boots, 0));
    for (std::size_t i = 0; i < boots; ++i)
      for (std::size_t j = 0; j < boots; ++j)
        v[i][j] = (i == j ? 1 : 0) + (build[i] == build[j] ? cell.rho_u : 0) +
                  cell.rho_q * std::min(time[i], time[j]);
  }

  StepDots dots(std::size_t from) const {
    StepDots dots;
    for (std::size_t a = from; a < 5; ++a) {
      dots.s1 += data.build_1(a);
      dots.sy += data.build_y(a);
      for (std::size_t b = from; b < 5; ++b) dots.ss += data.build_build(a, b);
    }
    return dots;
  }
  double cross() const {
    double sum = 0;
    for (std::size_t a = 2; a < 5; ++a) sum += data.build_build(a, 4);
    return sum;
  }
};

/// ln ML by the dense covariance of y with everything but sigma^2 integrated out.
double dense_log_ml(const Experiment& e, const Matrix& steps, const Prior& prior) {
  Matrix m = test::plus_outer(e.v, prior.k_mu, e.one);
  for (const Vector& step : steps) m = test::plus_outer(m, prior.kappa, step);
  const auto solved = test::solve(m, e.y);
  const double n = static_cast<double>(e.y.size());
  return -0.5 * solved.log_det -
         (prior.a0 + n / 2) * std::log(prior.b0 + 0.5 * test::dot(e.y, solved.x));
}

TEST(Likelihood, MatchesTheDenseCovarianceUpToAConstant) {
  std::mt19937_64 random(5);
  const Prior prior;
  for (int round = 0; round < 30; ++round) {
    const Experiment e(random);
    const double one = fit_step(e.data, e.dots(2), prior).log_ml;
    const double other = fit_step(e.data, e.dots(4), prior).log_ml;
    const double both = fit_two_steps(e.data, e.dots(2), e.dots(4), e.cross(), prior).log_ml;
    const double dense_one = dense_log_ml(e, {e.first}, prior);
    const double dense_other = dense_log_ml(e, {e.second}, prior);
    const double dense_both = dense_log_ml(e, {e.first, e.second}, prior);
    EXPECT_NEAR(one - other, dense_one - dense_other, 1e-6);
    EXPECT_NEAR(one - both, dense_one - dense_both, 1e-6);
  }
}

/// Generalised least squares with the priors as extra observations.
Vector dense_estimates(const Experiment& e, const Matrix& columns, const Prior& prior) {
  const std::size_t p = columns.size();
  Matrix normal(p, Vector(p, 0));
  Vector right(p, 0);
  for (std::size_t i = 0; i < p; ++i) {
    const Vector by = test::solve(e.v, columns[i]).x;
    right[i] = test::dot(by, e.y);
    for (std::size_t j = 0; j < p; ++j) normal[i][j] = test::dot(by, columns[j]);
    normal[i][i] += i == 0 ? 1 / prior.k_mu : 1 / prior.kappa;
  }
  return test::solve(normal, right).x;
}

TEST(Likelihood, EstimatesAreGeneralisedLeastSquares) {
  std::mt19937_64 random(6);
  const Prior prior;
  for (int round = 0; round < 30; ++round) {
    const Experiment e(random);
    const Vector single = dense_estimates(e, {e.one, e.first}, prior);
    EXPECT_NEAR(fit_step(e.data, e.dots(2), prior).delta, single[1], 1e-9);
    const Vector pair = dense_estimates(e, {e.one, e.first, e.second}, prior);
    const TwoStepFit fit = fit_two_steps(e.data, e.dots(2), e.dots(4), e.cross(), prior);
    EXPECT_NEAR(fit.delta_first, pair[1], 1e-9);
    EXPECT_NEAR(fit.delta_second, pair[2], 1e-9);
    EXPECT_EQ(fit.same_sign, pair[1] * pair[2] >= 0);
  }
}

TEST(Likelihood, AStepIntegratedOutIsCovariance) {
  std::mt19937_64 random(8);
  const Prior prior;
  for (int round = 0; round < 30; ++round) {
    const Experiment e(random);
    const WhitenedDots rest = e.data.without_step(std::vector<std::size_t>{2, 3, 4}, prior.kappa);
    const StepDots second{rest.build_build(4, 4), rest.build_1(4), rest.build_y(4)};
    const StepFit fit = fit_step(rest, second, prior);
    const double level = fit_level(rest, prior).log_ml;
    const double both = dense_log_ml(e, {e.first, e.second}, prior);
    EXPECT_NEAR(fit.log_ml - level, both - dense_log_ml(e, {e.first}, prior), 1e-6);
    EXPECT_NEAR(level - fit_level(e.data, prior).log_ml,
                dense_log_ml(e, {e.first}, prior) - dense_log_ml(e, {}, prior), 1e-6);
    EXPECT_NEAR(fit.delta, dense_estimates(e, {e.one, e.first, e.second}, prior)[2], 1e-9);
  }
}

/// The integral over sigma^2 of normal density times inverse gamma, by Simpson on a log grid.
double integrated_log_ml(const Experiment& e, const Vector& step, const Prior& prior) {
  const Matrix m = test::plus_outer(test::plus_outer(e.v, prior.k_mu, e.one), prior.kappa, step);
  const auto solved = test::solve(m, e.y);
  const double q = test::dot(e.y, solved.x);
  const double n = static_cast<double>(e.y.size());
  const auto log_density = [&](double s2) {
    return -n / 2 * std::log(s2) - 0.5 * solved.log_det - q / (2 * s2) -
           (prior.a0 + 1) * std::log(s2) - prior.b0 / s2;
  };
  const int steps = 4000;
  const double low = std::log(1e-7), width = (std::log(10.0) - low) / steps;
  double top = -1e300;
  for (int i = 0; i <= steps; ++i) {
    const double s = low + i * width;
    top = std::max(top, log_density(std::exp(s)) + s);
  }
  double sum = 0;
  for (int i = 0; i <= steps; ++i) {
    const double s = low + i * width;
    const int factor = i == 0 || i == steps ? 1 : (i % 2 == 1 ? 4 : 2);
    sum += factor * std::exp(log_density(std::exp(s)) + s - top);
  }
  return top + std::log(sum * width / 3);
}

TEST(Likelihood, MatchesNumericalIntegrationOverTheVariance) {
  std::mt19937_64 random(7);
  const Prior prior;
  for (int round = 0; round < 10; ++round) {
    const Experiment e(random, 8);
    const double ours =
        fit_step(e.data, e.dots(2), prior).log_ml - fit_step(e.data, e.dots(4), prior).log_ml;
    const double theirs =
        integrated_log_ml(e, e.first, prior) - integrated_log_ml(e, e.second, prior);
    EXPECT_NEAR(ours, theirs, 1e-5);
  }
}

TEST(Likelihood, StaysFiniteForAbsurdData) {
  for (double size : {0.0, 1e-300, 1e-6, 1.0, 1500.0})
    for (double kappa : {1.0, 2500.0, 1e12}) {
      Whitened data(noise_grid().back());
      for (int i = 0; i < 60; ++i) data.append(i % 2 == 0 ? 0 : -size, 30.0 * i, i % 2, 1);
      Prior prior;
      prior.kappa = kappa;
      prior.b0 = 2 * 1e-7 * 1e-7;
      const StepDots step{data.build_build(1, 1), data.build_1(1), data.build_y(1)};
      const StepFit fit = fit_step(data, step, prior);
      EXPECT_TRUE(std::isfinite(fit.log_ml)) << size;
      EXPECT_GT(fit.sigma2, 0);
      EXPECT_GT(fit.delta_var, 0);
      // The same step twice: nothing to part them but the prior.
      const TwoStepFit twice = fit_two_steps(data, step, step, step.ss, prior);
      EXPECT_TRUE(std::isfinite(twice.log_ml)) << size;
      EXPECT_TRUE(std::isfinite(twice.delta_first));
    }
}

}  // namespace
}  // namespace bisect_run::stats
