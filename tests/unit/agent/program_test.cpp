#include "program.h"

#include <gtest/gtest.h>

#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define BISECT_RUN_VFORK_IS_FORK
#endif
#endif

namespace bisect_run::agent {
namespace {

std::string reason(const Outcome& outcome) {
  return outcome ? "no fault" : outcome.error().reason;
}

TEST(Programs, HasNoInputAndItsOutputIsThrownAway) {
  auto programs = Programs::make();
  ASSERT_TRUE(programs);
  EXPECT_EQ(reason(programs->run({"/bin/sh", "-c", "cat; [ /dev/stdout -ef /dev/null ]"})),
            "no fault");
}

TEST(Programs, OneThatCannotStartIsNoExitStatus) {
#ifdef BISECT_RUN_VFORK_IS_FORK
  GTEST_SKIP() << "ThreadSanitizer makes a fork of vfork: the child's errno does not come back";
#endif
  auto programs = Programs::make();
  ASSERT_TRUE(programs);
  EXPECT_EQ(reason(programs->run({"/nowhere/ip", "link"})),
            "/nowhere/ip: No such file or directory");
  EXPECT_EQ(reason(programs->run({"/bin/sh", "-c", "exit 127"})),
            "`/bin/sh -c exit 127`: exit status 127");
}

TEST(FindProgram, KnowsTheUsualPlaces) {
  EXPECT_EQ(find_program("sh").substr(find_program("sh").rfind('/')), "/sh");
  EXPECT_EQ(find_program("no-such-program"), "");
}

}  // namespace
}  // namespace bisect_run::agent
