#include "bisect/boot_facts.h"

#include <gtest/gtest.h>

#include <limits>

namespace bisect_run::bisect {
namespace {

TEST(BootFacts, SharedBootsCountOnce) {
  Evidence evidence;
  evidence.boots = {{.node = 0, .build = 7, .y = 5.0, .time_s = 100},
                    {.node = 9, .build = 3, .y = 4.5, .time_s = 200},
                    {.node = 4, .build = 3, .y = 4.5, .time_s = 200, .shared = true},
                    {.node = 9, .build = 3, .y = 4.5, .time_s = 300}};
  const auto facts = boot_facts(evidence);
  ASSERT_EQ(facts.size(), 3U);
  EXPECT_EQ(facts[0], (BootFact{0, 0, 0, {0}}));
  EXPECT_EQ(facts[1], (BootFact{-0.5, 100, 1, {4, 9}}));
  EXPECT_EQ(facts[2], (BootFact{-0.5, 200, 1, {9}}));
}

TEST(BootFacts, VoidBootsAreLeftOutAndExtremesBounded) {
  const double inf = std::numeric_limits<double>::infinity();
  Evidence evidence;
  evidence.boots = {
      {.node = 0, .build = 0, .y = -inf, .time_s = 1},
      {.node = 0, .build = 0, .y = std::numeric_limits<double>::quiet_NaN(), .time_s = 2},
      {.node = 0, .build = 0, .y = 1, .time_s = inf},
      {.node = 0, .build = 0, .y = 1, .time_s = 4},
      {.node = 1, .build = 1, .y = -1e300, .time_s = 5},
      {.node = 1, .build = 1, .y = 1, .time_s = 3}};
  const auto facts = boot_facts(evidence);
  ASSERT_EQ(facts.size(), 3U);
  EXPECT_EQ(facts[1].y, -1500);
  EXPECT_EQ(facts[2].time_s, 0);  // a clock that jumped back does no harm
}

}  // namespace
}  // namespace bisect_run::bisect
