#include "clock.h"

#include <gtest/gtest.h>
#include <time.h>

namespace bisect_run::agent {
namespace {

TEST(ClockTest, StepIsPositiveAndNoLongerThanALook) {
  const std::int64_t step = clock_step_ns();
  EXPECT_GT(step, 0);
  EXPECT_LE(step, 50'000'000);
}

TEST(ClockTest, SleepCostsWallTimeAndASwitchButNoCpu) {
  const Moment start = start_moment();
  const timespec time{0, 20'000'000};
  ASSERT_EQ(::nanosleep(&time, nullptr), 0);
  const Moment end = end_moment();
  wire::SampleMessage sample;
  set_spent(sample, start, end);
  EXPECT_GE(sample.wall_ns, 20'000'000);
  EXPECT_GE(sample.voluntary_switches, 1);
  EXPECT_LT(*sample.user_ns + *sample.system_ns, sample.wall_ns);
}

TEST(ClockTest, WorkCostsCpu) {
  const Moment start = start_moment();
  while (monotonic_ns() - start.wall_ns < 50'000'000) {
  }
  const Moment end = end_moment();
  wire::SampleMessage sample;
  set_spent(sample, start, end);
  EXPECT_GT(*sample.user_ns + *sample.system_ns, 1'000'000);
  ASSERT_TRUE(sample.tsc_cycles);
  EXPECT_GT(*sample.tsc_cycles, 0);
}

TEST(ClockTest, CyclesThatRunBackwardsAreMissing) {
  wire::SampleMessage sample;
  set_spent(sample, {.wall_ns = 5, .tsc = 100}, {.wall_ns = 9, .tsc = 99});
  EXPECT_EQ(sample.wall_ns, 4);
  EXPECT_FALSE(sample.tsc_cycles);
}

}  // namespace
}  // namespace bisect_run::agent
