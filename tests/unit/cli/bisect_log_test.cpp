#include "cli/bisect_log.h"

#include <gtest/gtest.h>

namespace bisect_run::cli {
namespace {

using Words = std::vector<std::string>;

TEST(BisectLog, AsGitWritesIt) {
  const auto log = parse_bisect_log(R"(git bisect start
# status: waiting for both good and bad commits
# bad: [bbbb] net: break it: [really]
git bisect bad bbbb
# good: [aaaa] start
git bisect good aaaa
# skip: [cccc] does not build
git bisect skip cccc
# bad: [dddd] still
git bisect bad dddd
# first bad commit: [dddd] still
)");
  ASSERT_TRUE(log) << log.error().message;
  EXPECT_EQ(log->bad, "dddd") << "git keeps the last bad commit";
  EXPECT_EQ(log->good, Words{"aaaa"});
  EXPECT_EQ(log->skip, Words{"cccc"});
  EXPECT_FALSE(log->first_parent);
}

TEST(BisectLog, EndsGivenToStartAreTakenInFull) {
  const auto log = parse_bisect_log(
      "# bad: [bbbb] x\n# good: [aaaa] y\n# good: [eeee] z\n"
      "git bisect start '--first-parent' 'HEAD' 'v1' 'v2' '--' 'kernel' 'it'\\''s'\n"
      "# bad: [ffff] a line somebody took out below\n");
  ASSERT_TRUE(log) << log.error().message;
  EXPECT_EQ(log->bad, "bbbb");
  EXPECT_EQ(log->good, (Words{"aaaa", "eeee"}));
  EXPECT_EQ(log->paths, (Words{"kernel", "it's"}));
  EXPECT_TRUE(log->first_parent);
}

TEST(BisectLog, EndsGivenToStartWithoutComments) {
  const auto log = parse_bisect_log("git bisect start 'v2' 'v1'\r\n");
  ASSERT_TRUE(log) << log.error().message;
  EXPECT_EQ(log->bad, "v2");
  EXPECT_EQ(log->good, Words{"v1"});
}

TEST(BisectLog, OtherTerms) {
  const auto log = parse_bisect_log(
      "git bisect start '--term-new=slow' '--term-old' 'fast'\ngit bisect slow b\ngit bisect fast "
      "a\ngit bisect new c\n");
  ASSERT_TRUE(log) << log.error().message;
  EXPECT_EQ(log->bad, "c");
  EXPECT_EQ(log->good, Words{"a"});
}

TEST(BisectLog, WhatIsNoneIsRefusedWithItsLine) {
  for (const auto* text : {"", "# only a comment\n", "git bisect bad x\n", "hello\n",
                           "git bisect start\nrm -rf /\n", "git bisect start\ngit bisect fine x\n",
                           "git bisect start 'open\n", "git bisect start\ngit bisect good\n"})
    EXPECT_FALSE(parse_bisect_log(text)) << text;
  EXPECT_NE(parse_bisect_log("git bisect start\nhello\n").error().message.find("line 2"),
            std::string::npos);
}

}  // namespace
}  // namespace bisect_run::cli
