#include "stats/outliers.h"

#include <gtest/gtest.h>

#include <vector>

namespace bisect_run::stats {
namespace {

TEST(Outliers, TheFiveNearestInTimeJudge) {
  // Boot 3 against the median of boots 0, 1, 2, 4, 5 = 0.00; boots 6 and 7 are too far away.
  std::vector<BuildBoot> boots;
  const std::vector<double> y{0.01, -0.01, 0.00, 0.09, 0.02, -0.02, 5, 5};
  for (std::size_t i = 0; i < y.size(); ++i)
    boots.push_back({y[i], i < 6 ? 10.0 * double(i) : 1e5});
  // r = 0.09 / 0.02 = 4.5, w = (4.5 / 1.5)^2 = 9.
  EXPECT_NEAR(outlier_weight(boots, 3, 0.02).value(), 9, 1e-12);
  EXPECT_EQ(outlier_weight(boots, 0, 0.02).value(), 1);
}

TEST(Outliers, ThreeSigmaIsNoOutlierAndTheWeightIsCapped) {
  const std::vector<BuildBoot> boots{{0, 0}, {0, 1}, {2.99, 2}};
  EXPECT_EQ(outlier_weight(boots, 2, 1).value(), 1);
  EXPECT_EQ(outlier_weight(boots, 2, 1e-9).value(), 100);
}

TEST(Outliers, TwoBootsCannotJudgeEachOther) {
  const std::vector<BuildBoot> boots{{0, 0}, {1, 1}};
  EXPECT_FALSE(outlier_weight(boots, 0, 0.01));
  EXPECT_FALSE(outlier_weight(std::vector<BuildBoot>{{0, 0}, {1, 1}, {2, 2}}, 0, 0));
}

TEST(Outliers, SmallChangesAreNotAdopted) {
  EXPECT_FALSE(worth_adopting(10, 12.9));
  EXPECT_TRUE(worth_adopting(10, 13.1));
  EXPECT_TRUE(worth_adopting(4, 1));
  EXPECT_FALSE(worth_adopting(1, 1));
}

}  // namespace
}  // namespace bisect_run::stats
