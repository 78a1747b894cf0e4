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

TEST(Summary, TrimmedMeanDropsTheWorst) {
  EXPECT_DOUBLE_EQ(trimmed_mean(Values{1, 10, 11}, Better::higher).value(), 10.5);
  EXPECT_DOUBLE_EQ(trimmed_mean(Values{90, 10, 11}, Better::lower).value(), 10.5);
  EXPECT_DOUBLE_EQ(trimmed_mean(Values{5}, Better::lower).value(), 5);
  // Ten values: two are dropped.
  EXPECT_DOUBLE_EQ(trimmed_mean(Values{1, 2, 3, 3, 3, 3, 3, 3, 3, 3}, Better::higher).value(), 3);
}

TEST(Summary, BootValueIsTheMedianFromSevenOn) {
  EXPECT_DOUBLE_EQ(boot_value(Values{1, 10, 10, 10, 40, 40, 40}, Better::higher).value(), 10);
  EXPECT_DOUBLE_EQ(boot_value(Values{1, 10, 10, 10, 40, 40}, Better::higher).value(), 22);
}

TEST(Summary, LogLevelFallsWhenThingsGetWorse) {
  EXPECT_DOUBLE_EQ(log_level(Values{std::exp(2)}, Better::higher).value(), 2);
  EXPECT_DOUBLE_EQ(log_level(Values{std::exp(2)}, Better::lower).value(), -2);
  EXPECT_FALSE(log_level(Values{0}, Better::higher));
  EXPECT_FALSE(log_level(Values{-1}, Better::lower));
}

TEST(Summary, C22NothingComesOutOfEmptyOrBrokenInput) {
  for (const Values& broken : {Values{}, Values{1, kNan, 2}, Values{kInf, 1}, Values{-kInf}}) {
    EXPECT_FALSE(median(broken));
    EXPECT_FALSE(mean(broken));
    EXPECT_FALSE(variance(broken));
    EXPECT_FALSE(harmonic_mean(broken));
    EXPECT_FALSE(trimmed_mean(broken, Better::higher));
    EXPECT_FALSE(log_level(broken, Better::lower));
  }
  EXPECT_FALSE(variance(Values{-1e200, 1e200}));
}

}  // namespace
}  // namespace bisect_run::stats
