#include "lab/sample_clock.h"

#include <gtest/gtest.h>

namespace bisect_run::lab {
namespace {

wire::Hello hello_with(std::string clocksource, std::int64_t step_ns) {
  wire::Hello hello;
  hello.clocksource = std::move(clocksource);
  hello.clock_resolution_ns = step_ns;
  return hello;
}

Handshake labelled(SampleClock clock, const wire::Hello& hello) {
  clock.look_at(hello);
  Handshake handshake;
  handshake.clocksource = hello.clocksource;
  handshake.clock_resolution_ns = hello.clock_resolution_ns;
  clock.label(handshake);
  return handshake;
}

Sample some_sample() {
  Sample sample;
  sample.wall_ns = 4'000'250;
  sample.user_ns = 1;
  sample.tsc_cycles = 26'000'000;
  return sample;
}

TEST(SampleClock, AFineGuestClockIsUsedAsItIs) {
  SampleClock clock(2'600'000, false);
  EXPECT_EQ(labelled(clock, hello_with("tsc", 30)).clocksource, "tsc");
  auto sample = some_sample();
  EXPECT_TRUE(clock.retime(sample));
  EXPECT_EQ(sample.wall_ns, 4'000'250);
}

TEST(SampleClock, ACoarseOneGivesWayToTheCounter) {
  SampleClock clock(2'600'000, false);
  const auto handshake = labelled(clock, hello_with("jiffies", 4'000'250));
  EXPECT_EQ(handshake.clocksource, "tsc at 2600000 kHz; the guest's own is jiffies");
  EXPECT_EQ(handshake.clock_resolution_ns, 1);
  clock.look_at(hello_with("jiffies", 4'000'250));
  EXPECT_TRUE(clock.by_counter());
  auto sample = some_sample();
  EXPECT_TRUE(clock.retime(sample));
  EXPECT_EQ(sample.wall_ns, 10'000'000);  // 26 million cycles at 2.6 GHz
}

TEST(SampleClock, TheCounterIsUsedWhereItWasAskedFor) {
  EXPECT_TRUE(SampleClock(1'000'000, true).by_counter());
  EXPECT_EQ(labelled(SampleClock(1'000'000, true), hello_with("tsc", 20)).clocksource,
            "tsc at 1000000 kHz; the guest's own is tsc");
}

TEST(SampleClock, WithoutARateTheGuestsClockStays) {
  SampleClock clock(std::nullopt, true);
  EXPECT_FALSE(clock.by_counter());
  EXPECT_EQ(labelled(clock, hello_with("jiffies", 4'000'000)).clocksource, "jiffies");
}

TEST(SampleClock, WhatHasNoCyclesIsRefusedUnlessItIsNoTime) {
  const SampleClock clock(2'600'000, true);
  auto sample = some_sample();
  sample.tsc_cycles.reset();
  EXPECT_FALSE(clock.retime(sample));
  Sample counted;
  counted.value = 5;
  EXPECT_TRUE(clock.retime(counted));
  EXPECT_EQ(counted.wall_ns, 0);
}

}  // namespace
}  // namespace bisect_run::lab
