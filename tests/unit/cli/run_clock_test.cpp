#include <gtest/gtest.h>

#include <chrono>

#include "cli/adapters.h"

// The date of a host jumps: a night's time change, a wrong clock set right, a battery that is dead.

namespace bisect_run::cli {
namespace {

double date() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

TEST(RunClock, CountsTheTimeARunWasStopped) {
  const RunClock clock(date() - 1000, 400);
  EXPECT_NEAR(clock.now(), 1000, 5);
}

TEST(RunClock, ADateThatWasSetBackNeverTurnsItBack) {
  const RunClock clock(date() + 3600, 400);  // begun an hour from now, by today's date
  const double first = clock.now();
  EXPECT_GE(first, 400);
  EXPECT_LT(first, 405);
  EXPECT_GE(clock.now(), first);
}

}  // namespace
}  // namespace bisect_run::cli
