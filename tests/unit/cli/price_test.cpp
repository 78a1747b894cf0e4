#include "cli/price.h"

#include <gtest/gtest.h>

#include "bisect/posterior.h"
#include "support/histories.h"

namespace bisect_run::cli {
namespace {

TEST(Price, OfTheFormulaIsThatOfTheReference) {
  // statistics.md, section 7: N = 1024, 5 % with nine samples a boot: 5830 s (measured 5775);
  // 50 %, five samples: 3825 s (measured 3685).
  const auto small = price_by_formula(1024, 0.05, {.sigma = 0.0243});
  EXPECT_NEAR(small.seconds, 5830, 600);
  EXPECT_NEAR(price_by_formula(1024, 0.5, {.sigma = 0.0311}).seconds, 3825, 250);
  EXPECT_GT(price_by_formula(1024, 0.02, {}).boots, small.boots);
}

TEST(Price, IsRehearsedWhereThereIsTime) {
  const SearchSpace space{test::linear_range(200), {}};
  const auto strategy = bisect::make_posterior(space.range);
  const Tariff tariff{.build_s = 100, .boot_s = 10};
  const auto expected = prices(*strategy, space, {0.5, 0.1}, tariff, 60);
  ASSERT_EQ(expected.size(), 2u);
  for (const auto& price : expected) {
    EXPECT_GT(price.rehearsals, 1);
    const auto formula = price_by_formula(200, price.effect, tariff);
    EXPECT_NEAR(price.seconds, formula.seconds, formula.seconds / 2);
    EXPECT_NEAR(price.seconds, price.builds * 100 + price.boots * 10, 1e-6);
  }
  EXPECT_GT(expected[1].boots, expected[0].boots);
}

TEST(Price, IsTheFormulaWhereThereIsNone) {
  const SearchSpace space{test::linear_range(200), {}};
  const auto strategy = bisect::make_posterior(space.range);
  const auto expected = prices(*strategy, space, {0.05}, {}, 0);
  EXPECT_EQ(expected.front().rehearsals, 0);
  EXPECT_EQ(expected.front().boots, price_by_formula(200, 0.05, {}).boots);
}

TEST(Price, CommitsThatAreSetBehindAreNotPaidFor) {
  SearchSpace space{test::linear_range(1024), std::vector<bool>(1025, true)};
  for (int node = 500; node < 508; ++node) space.behind[static_cast<std::size_t>(node)] = false;
  const auto strategy = bisect::make_posterior(space.range);
  EXPECT_EQ(prices(*strategy, space, {0.5}, {}, 0).front().builds,
            price_by_formula(8, 0.5, {}).builds);
}

}  // namespace
}  // namespace bisect_run::cli
