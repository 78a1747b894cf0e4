#include "stats/summary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace bisect_run::stats {
namespace {

using Values = std::vector<double>;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(Summary, MedianOfOddAndEvenCounts) {
  EXPECT_DOUBLE_EQ(median(Values{3, 1, 2}).value(), 2);
  EXPECT_DOUBLE_EQ(median(Values{4, 1, 3, 2}).value(), 2.5);
  EXPECT_DOUBLE_EQ(median(Values{7}).value(), 7);
  EXPECT_DOUBLE_EQ(median(Values{1.7e308, 1.7e308}).value(), 1.7e308);
}

TEST(Summary, MeanAndVarianceByHand) {
  EXPECT_DOUBLE_EQ(mean(Values{1, 2, 6}).value(), 3);
  EXPECT_DOUBLE_EQ(variance(Values{1, 2, 6}).value(), 7);
  EXPECT_FALSE(variance(Values{1}));
}

TEST(Summary, HarmonicMeanIsTheRateOverEqualWork) {
  // Half of the work at 20/s and half at 60/s takes as long as all of it at 30/s.
  EXPECT_DOUBLE_EQ(harmonic_mean(Values{20, 60}).value(), 30);
  EXPECT_FALSE(harmonic_mean(Values{20, 0}));
  EXPECT_FALSE(harmonic_mean(Values{20, -1}));
}

TEST(Summary, C22NothingComesOutOfEmptyOrBrokenInput) {
  for (const Values& broken : {Values{}, Values{1, kNan, 2}, Values{kInf, 1}, Values{-kInf}}) {
    EXPECT_FALSE(median(broken));
    EXPECT_FALSE(mean(broken));
    EXPECT_FALSE(variance(broken));
    EXPECT_FALSE(harmonic_mean(broken));
  }
  EXPECT_FALSE(variance(Values{-1e200, 1e200}));
}

}  // namespace
}  // namespace bisect_run::stats
