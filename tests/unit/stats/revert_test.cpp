#include "stats/revert.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace bisect_run::stats {
namespace {

using Kernel = RevertBoot::Kernel;

std::vector<RevertBoot> rounds(double reverted, int count, double noise, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<RevertBoot> boots;
  for (int round = 0; round < count; ++round)
    for (Kernel kernel : {Kernel::good, Kernel::bad, Kernel::reverted}) {
      const double level = kernel == Kernel::good ? 7 : (kernel == Kernel::bad ? 6.9 : reverted);
      boots.push_back({kernel, level + noise * normal(random), 30.0 * double(boots.size())});
    }
  return boots;
}

TEST(Revert, VerdictsFollowWhatComesBack) {
  EXPECT_EQ(judge_revert(rounds(7.0, 8, 0.005, 1))->verdict, RevertVerdict::confirmed);
  EXPECT_EQ(judge_revert(rounds(6.9, 8, 0.005, 2))->verdict, RevertVerdict::refuted);
  EXPECT_EQ(judge_revert(rounds(6.955, 8, 0.005, 3))->verdict, RevertVerdict::partial);
  EXPECT_EQ(judge_revert(rounds(6.955, 4, 0.1, 4))->verdict, RevertVerdict::inconclusive);
  EXPECT_NEAR(judge_revert(rounds(6.95, 8, 0, 1))->recovered.at, 0.5, 1e-3);
}

TEST(Revert, OrderOfTheVerdicts) {
  EXPECT_EQ(verdict_of({0.3, 0.05}), RevertVerdict::refuted);  // also partial: refuted comes first
  EXPECT_EQ(verdict_of({0.6, 0.1}), RevertVerdict::partial);
  EXPECT_EQ(verdict_of({0.9, 0.1}), RevertVerdict::confirmed);
  EXPECT_EQ(verdict_of({0.6, 0.2}), RevertVerdict::inconclusive);
}

TEST(Revert, MissingOrBrokenBootsGiveNothing) {
  EXPECT_FALSE(judge_revert({}));
  EXPECT_FALSE(
      judge_revert(std::vector<RevertBoot>{{Kernel::good, 1, 1}, {Kernel::reverted, 1, 2}}));
  auto boots = rounds(7, 3, 0.005, 1);
  boots.front().y = NAN;
  const auto test = judge_revert(boots);
  ASSERT_TRUE(test);
  EXPECT_TRUE(std::isfinite(test->recovered.at));
}

}  // namespace
}  // namespace bisect_run::stats
