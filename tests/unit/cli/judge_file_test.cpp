#include "cli/judge_file.h"

#include <gtest/gtest.h>

#include "support/temp_dir.h"

namespace bisect_run::cli {
namespace {

JudgeFile some() {
  JudgeFile judge;
  judge.metric = "add+exec";
  judge.scenario = "netns-scaling";
  judge.scenario_digest = "d1";
  judge.mode = "fork";
  judge.variant = "none";
  judge.marks = {50, 100};
  judge.find_fix = true;
  judge.min_effect = 0.01;
  judge.machine = {.cpus = 4, .memory_mib = 512, .accelerator = "tcg", .clock = "real"};
  judge.host = "h";
  judge.agent = "a";
  judge.recipe = "r";
  judge.good = {.commit = {"11"}, .text = "v1", .identity = "s1 x=y", .level = 250.5, .boots = 5};
  judge.bad = {.commit = {"22"}, .text = "v2", .identity = "s2", .level = 18, .boots = 4};
  judge.sigma = 0.021;
  judge.boots = {{false, 5.52345678901, 12.5}, {true, 2.875, 31}};
  return judge;
}

TEST(JudgeFile, ComesBackAsItWas) {
  const test::TempDir temp;
  test::write_file(temp / "j", to_json(some()));
  const auto read = read_judge_file(temp / "j");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_json(*read), to_json(some()));
  EXPECT_EQ(read->boots[0].y, 5.52345678901);
  EXPECT_TRUE(read->boots[1].bad);
  EXPECT_EQ(read->machine, some().machine);
}

TEST(JudgeFile, WhatIsNoneIsRefused) {
  const test::TempDir temp;
  const auto refused = [&](const std::string& text, const char* part) {
    test::write_file(temp / "j", text);
    const auto read = read_judge_file(temp / "j");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().kind, ErrorKind::usage);
    EXPECT_NE(read.error().message.find(part), std::string::npos) << read.error().message;
  };
  auto text = to_json(some());
  refused("", "calibrate again");
  refused("{}", "calibrate again");
  refused(text.substr(0, text.size() / 2), "calibrate again");
  auto newer = text;
  newer.replace(newer.find("\"version\": 1"), 12, "\"version\": 9");
  refused(newer, "newer");
  EXPECT_NE(read_judge_file(temp / "none").error().message.find("calibrate"), std::string::npos);
}

}  // namespace
}  // namespace bisect_run::cli
