#include "stats/matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace bisect_run::stats {
namespace {

MatrixCell cell(std::vector<double> base, std::vector<double> other) {
  return {std::move(base), std::move(other), Better::higher, false};
}

// Logarithms 0, 0.01, 0.02 against 0.1, 0.11, 0.12: apart by 0.1, each variance 0.0001, so
// t = 0.1 / sqrt(2 * 0.0001 / 3) = 12.2474 with 4 degrees of freedom. For 4 degrees the
// distribution is elementary: P(|T| > t) = 1 - s (3 - s^2) / 2 with s = t / sqrt(t^2 + 4).
TEST(Matrix, PIsWelchsOnLogarithms) {
  const auto judged = judge(std::vector{cell({1, std::exp(0.01), std::exp(0.02)},
                                             {std::exp(0.1), std::exp(0.11), std::exp(0.12)})},
                            {});
  ASSERT_TRUE(judged[0] && judged[0]->p);
  const double t = 0.1 / std::sqrt(2 * 0.0001 / 3);
  const double s = t / std::sqrt(t * t + 4);
  EXPECT_NEAR(*judged[0]->p, 1 - s * (3 - s * s) / 2, 1e-9);
  EXPECT_EQ(judged[0]->verdict, CellVerdict::faster);
  EXPECT_NEAR(judged[0]->effect.value, std::exp(0.1) - 1, 1e-12);
}

TEST(Matrix, TheDirectionFollowsTheMetric) {
  auto times = cell({1, 1.01, 1.02}, {2, 2.02, 2.04});
  times.better = Better::lower;
  EXPECT_EQ(judge(std::vector{times}, {})[0]->verdict, CellVerdict::slower);
}

TEST(Matrix, ManyCellsNeedMoreEach) {
  // p is about 2.6e-4: enough for one cell, not for a hundred.
  const auto doubtful =
      cell({1, std::exp(0.01), std::exp(0.02)}, {std::exp(0.1), std::exp(0.11), std::exp(0.12)});
  const auto equal = cell({1, 1.1, 1.2}, {1, 1.1, 1.2});
  std::vector<MatrixCell> cells(100, equal);
  cells[50] = doubtful;
  EXPECT_EQ(judge(cells, {})[50]->verdict, CellVerdict::undecided);
  EXPECT_EQ(judge(std::span(cells).subspan(50, 30), {})[0]->verdict, CellVerdict::faster);
  EXPECT_EQ(judge(std::span(cells).subspan(50, 30), {.looks = 4})[0]->verdict,
            CellVerdict::undecided);
}

TEST(Matrix, HolmStepsDown) {
  // Two cells of p about 2.6e-4 and 39 equal ones: 0.01/41 = 2.4e-4 calls neither; with 38 clear
  // ones in their place the doubtful two are judged last, against 0.005 and 0.01.
  const auto doubtful =
      cell({1, std::exp(0.01), std::exp(0.02)}, {std::exp(0.1), std::exp(0.11), std::exp(0.12)});
  const auto clear = cell({1, 1.001, 1.002}, {9, 9.001, 9.002});
  std::vector<MatrixCell> cells(41, clear);
  cells[0] = cells[1] = doubtful;
  for (const auto& one : judge(cells, {})) EXPECT_EQ(one->verdict, CellVerdict::faster);
}

TEST(Matrix, SameMeansWithinTheLeastEffect) {
  const auto tight = cell({100, 100.1, 99.9, 100}, {101, 101.1, 100.9, 101});
  EXPECT_EQ(judge(std::vector{tight}, {})[0]->verdict, CellVerdict::same);
  EXPECT_EQ(judge(std::vector{tight}, {.min_effect = 0.005})[0]->verdict, CellVerdict::faster);
  EXPECT_EQ(judge(std::vector{cell({90, 110}, {91, 109})}, {})[0]->verdict, CellVerdict::undecided);
}

TEST(Matrix, WhatCannotBeJudged) {
  EXPECT_FALSE(judge(std::vector{cell({}, {1, 2})}, {})[0]);
  EXPECT_FALSE(judge(std::vector{cell({0, 1}, {1, 2})}, {})[0]);
  const auto one_boot = judge(std::vector{cell({1}, {9})}, {})[0];
  ASSERT_TRUE(one_boot);
  EXPECT_EQ(one_boot->verdict, CellVerdict::undecided);
  EXPECT_FALSE(one_boot->p);
  // Deterministic numbers: no variance at all.
  EXPECT_EQ(judge(std::vector{cell({1, 1}, {2, 2})}, {})[0]->verdict, CellVerdict::faster);
  EXPECT_EQ(judge(std::vector{cell({1, 1}, {1, 1})}, {})[0]->verdict, CellVerdict::same);
  auto shared = cell({1, 5}, {1, 5});
  shared.same_kernel = true;
  EXPECT_EQ(judge(std::vector{shared}, {})[0]->verdict, CellVerdict::same);
}

TEST(Matrix, LooksGrowByHalf) {
  EXPECT_EQ(look_schedule(3, 12), (std::vector{3, 5, 8, 12}));
  EXPECT_EQ(look_schedule(3, 3), std::vector{3});
  EXPECT_EQ(look_schedule(5, 0), std::vector{5});
  EXPECT_EQ(look_schedule(1, 4), (std::vector{1, 2, 3, 4}));
  // What a stranger's results file may ask for.
  EXPECT_EQ(look_schedule(1'500'000'000, INT32_MAX), (std::vector{1'500'000'000, INT32_MAX}));
  EXPECT_EQ(look_schedule(INT32_MIN, 2), (std::vector{1, 2}));
}

}  // namespace
}  // namespace bisect_run::stats
