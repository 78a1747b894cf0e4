#include "kernel/tree_questions.h"

#include <gtest/gtest.h>

namespace bisect_run::kernel {
namespace {

TEST(HasLine, LooksAtEachLineByItself) {
  EXPECT_TRUE(has_line("a\nmake-cmd = x\n", "^make-cmd = .*"));
  EXPECT_TRUE(has_line("no end: -fno-pie", "-fno-(pie|PIE)"));
  EXPECT_FALSE(has_line("a\nb\n", "a.*b"));
  EXPECT_FALSE(has_line("", "a"));
}

TEST(HasLine, ALineWithoutEndOfAHostileTreeDoesNotExhaustTheStack) {
  const std::string line = "make-cmd = " + std::string(20'000'000, 'x');
  EXPECT_TRUE(has_line(line, "^make-cmd = .*"));
  EXPECT_FALSE(has_line(line, "^make-cmd = (.*)#"));
  EXPECT_TRUE(has_line(line + "\nmake-cmd = #", "^make-cmd = (.*)#"));
}

}  // namespace
}  // namespace bisect_run::kernel
