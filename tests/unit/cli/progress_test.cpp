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

// What a terminal makes of it: integration/terminal.sh.
TEST(Progress, ALiveLineNeitherWrapsNorMovesTheCursor) {
  EXPECT_EQ(drawn("[##..] building"), "\r\033[?7l[##..] building\033[J\033[?7h\r");
}

}  // namespace
}  // namespace bisect_run::cli
