#include "lab/command_line.h"

#include <gtest/gtest.h>

namespace bisect_run::lab {
namespace {

TEST(CommandLine, OwnThenBaseThenVariant) {
  const auto line = command_line({"mitigations=off"}, {"rcu_nocbs=0-{last}"}, {4, {}});
  EXPECT_TRUE(line.starts_with("console=ttyS0 panic=-1 no_timer_check ")) << line;
  EXPECT_TRUE(line.ends_with(" mitigations=off rcu_nocbs=0-3")) << line;
}

TEST(CommandLine, AnUnknownCounterTakesItsArgumentAlong) {
  const std::vector<std::string> base = {"tsc_early_khz={tsc_khz}", "x"};
  EXPECT_TRUE(command_line(base, {}, {1, 2596100}).ends_with(" tsc_early_khz=2596100 x"));
  EXPECT_EQ(command_line(base, {}, {1, {}}).find("tsc_early_khz"), std::string::npos);
}

TEST(CommandLine, OneCpu) {
  EXPECT_TRUE(command_line({}, {"a={last}-{last}"}, {1, {}}).ends_with(" a=0-0"));
}

}  // namespace
}  // namespace bisect_run::lab
