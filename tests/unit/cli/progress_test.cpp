#include "cli/progress.h"

#include <cmath>

#include <gtest/gtest.h>

namespace bisect_run::cli {
namespace {

TEST(Bar, FillsWithTheFraction) {
  EXPECT_EQ(bar(0, 4), "[....]");
  EXPECT_EQ(bar(0.5, 4), "[##..]");
  EXPECT_EQ(bar(1, 4), "[####]");
}

TEST(Bar, StaysInItsBoundsWhateverComes) {
  EXPECT_EQ(bar(-3, 4), "[....]");
  EXPECT_EQ(bar(17, 4), "[####]");
  EXPECT_EQ(bar(std::nan(""), 4), "[....]");
}

TEST(Duration, TakesTheUnitAPersonWould) {
  EXPECT_EQ(duration(0.4), "0 s");
  EXPECT_EQ(duration(45), "45 s");
  EXPECT_EQ(duration(700), "12 min");
  EXPECT_EQ(duration(3 * 3600 + 5 * 60), "3 h 05 min");
}

TEST(Progress, ALineThatANarrowerTerminalBrokeIsWipedWhole) {
  EXPECT_EQ(wiping(79, 80), "\r\033[J");
  EXPECT_EQ(wiping(80, 80), "\r\033[J");
  EXPECT_EQ(wiping(79, 40), "\033[1A\r\033[J");
  EXPECT_EQ(wiping(79, 20), "\033[3A\r\033[J");
  EXPECT_EQ(wiping(5, 0), "\033[4A\r\033[J");
}

}  // namespace
}  // namespace bisect_run::cli
