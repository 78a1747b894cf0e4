#include "report/bisect_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "examples.h"

namespace bisect_run::report {
namespace {

using test::answered;

TEST(BisectText, SaysWhenThereIsNoSingleAnswer) {
  auto facts = answered();
  facts.answer->kind = Answer::Kind::set;
  facts.answer->commits.push_back({{std::string(40, 'd')}, "another", 0, {}});
  facts.answer->reason = "the commit between them does not build";
  EXPECT_TRUE(
      bisect_text(facts).starts_with("first commit with the new level: one of these 2\n"
                                     "  cccccccccccc nsproxy: wait for a grace period\n"
                                     "  dddddddddddd another\n"
                                     "  why          the commit between them does not build\n"));
  facts.run.status = RunStatus::refused;
  facts.answer = Answer{};
  facts.answer->reason = "both ends are alike";
  EXPECT_TRUE(
      bisect_text(facts).starts_with("refused: no difference to search for\n"
                                     "  why          both ends are alike\n"));
  facts.run.status = RunStatus::running;
  facts.answer.reset();
  EXPECT_TRUE(bisect_text(facts).starts_with("no answer yet\n"));
  facts.run.status = RunStatus::failed;
  facts.run.message = "the disk is full";
  EXPECT_TRUE(
      bisect_text(facts).starts_with("no answer: failed\n  why          the disk is full\n"));
}

TEST(BisectText, FindsFixesByName) {
  auto facts = answered();
  facts.find_fix = true;
  EXPECT_TRUE(bisect_text(facts).starts_with("first commit with the better level\n"));
}

TEST(BisectText, NeverPromisesCertainty) {
  auto facts = answered();
  facts.answer->confidence = 1.0;
  EXPECT_NE(bisect_text(facts).find("confidence   more than 99.9 %\n"), std::string::npos);
}

TEST(ShowText, BeginsWithTheStateAndEndsWithTheLastSteps) {
  auto facts = answered();
  facts.recent = {"12.0 s  build dddddddddddd"};
  EXPECT_TRUE(show_text(facts).starts_with("run 20261130-141503-k3f9: answered\n\nfirst commit"));
  EXPECT_TRUE(show_text(facts).ends_with("\nlast steps\n  12.0 s  build dddddddddddd\n"));
  facts.run.status = RunStatus::running;
  EXPECT_TRUE(show_text(facts).starts_with(
      "run 20261130-141503-k3f9: its controller died; `bisect-run resume`"));
  facts.run.live = true;
  EXPECT_TRUE(show_text(facts).starts_with("run 20261130-141503-k3f9: running\n"));
}

TEST(BisectJson, HasNullsForWhatIsNotKnown) {
  BisectFacts facts = answered();
  facts.answer.reset();
  facts.probes[0].subject = "Andr\xe9";
  facts.probes[0].reason = "Andr\xe9";
  const auto json = nlohmann::json::parse(bisect_json(facts));
  EXPECT_EQ(json["answer"]["kind"], "none");
  EXPECT_TRUE(json["answer"]["commits"].empty());
  EXPECT_TRUE(json["answer"]["effect"].is_null());
  EXPECT_TRUE(json["answer"]["confidence"].is_null());
  EXPECT_TRUE(json["probes"][1]["value"].is_null());
  EXPECT_EQ(json["probes"][0]["reason"], "Andr\xef\xbf\xbd");
}

}  // namespace
}  // namespace bisect_run::report
