#include "lab/host_watch.h"

#include <gtest/gtest.h>

namespace bisect_run::lab {
namespace {

// Figures by hand: two CPUs, ten seconds, so 20 s of CPU time in all.
HostReading at(double busy, double steal, double monotonic, double boottime) {
  return {.total = 2 * monotonic,
          .busy = busy,
          .steal = steal,
          .monotonic = monotonic,
          .boottime = boottime,
          .mhz = 2000.0 + monotonic,
          .load = 1.5};
}

TEST(HostWatch, SharesAreOfAllCpus) {
  const auto seen = conditions_between(at(100, 5, 100, 100), at(117, 6, 110, 110), 15.0);
  EXPECT_NEAR(seen.others.value(), 2.0 / 20, 1e-9);
  EXPECT_NEAR(seen.steal.value(), 1.0 / 20, 1e-9);
  EXPECT_NEAR(seen.mhz.value(), 2105, 1e-9);
  EXPECT_EQ(seen.load, 1.5);
  EXPECT_EQ(seen.suspended_s, 0);
}

TEST(HostWatch, SleepIsWhatOneClockCountsAndTheOtherDoesNot) {
  EXPECT_NEAR(conditions_between(at(0, 0, 100, 100), at(0, 0, 110, 410), {}).suspended_s, 300,
              1e-9);
}

TEST(HostWatch, WhatCannotBeToldIsNull) {
  EXPECT_FALSE(conditions_between(at(0, 0, 100, 100), at(9, 0, 110, 110), {}).others);
  const auto moment = conditions_between(at(0, 0, 100, 100), at(0, 0, 100.1, 100.1), 0.0);
  EXPECT_FALSE(moment.others);
  EXPECT_FALSE(moment.steal);
  // The VM's own figure may run ahead of the kernel's by a tick.
  EXPECT_EQ(conditions_between(at(0, 0, 100, 100), at(9, 0, 110, 110), 9.01).others, 0.0);
}

TEST(HostWatch, ReadsTheKernelsFirstLine) {
  HostReading reading;
  // user 300, nice 20, system 100, idle 500, iowait 50, irq 10, softirq 20, steal 40, guest 99.
  ASSERT_TRUE(parse_cpu_times("cpu  300 20 100 500 50 10 20 40 99 0", 100, reading));
  EXPECT_DOUBLE_EQ(reading.busy, 4.5);
  EXPECT_DOUBLE_EQ(reading.steal, 0.4);
  EXPECT_DOUBLE_EQ(reading.total, 10.4);
  EXPECT_FALSE(parse_cpu_times("cpu0 1 2 3 4 5 6 7 8", 100, reading));
  EXPECT_FALSE(parse_cpu_times("cpu  1 2 x", 100, reading));
  EXPECT_FALSE(parse_cpu_times("", 100, reading));
}

TEST(HostWatch, ReadsThisHost) {
  const auto reading = read_host();
  EXPECT_GT(reading.total, reading.busy);
  EXPECT_GT(reading.busy, 0);
  EXPECT_GE(reading.boottime, reading.monotonic - 0.01);
}

}  // namespace
}  // namespace bisect_run::lab
