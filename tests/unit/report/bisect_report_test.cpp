#include "report/bisect_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "golden.h"

namespace bisect_run::report {
namespace {

BisectFacts answered() {
  BisectFacts facts;
  facts.run.id = "20261130-141503-k3f9";
  facts.run.status = RunStatus::answered;
  facts.run.repository = "/srv/git/my linux";
  facts.run.scenario = "netns-scaling";
  facts.run.mode = "fork";
  facts.run.marks = {50, 100};
  facts.run.host_cpu = "Some CPU @ 2.5GHz";
  facts.run.host_cpus = 2;
  facts.run.host_kernel = "6.1.0";
  facts.run.qemu = "7.2";
  facts.good = {"v6.1", {std::string(40, 'a')}, {}, "none"};
  facts.bad = {"", {std::string(40, 'b')}, {}, "none"};
  facts.metric.name = "add+exec";
  facts.mark = 50;
  facts.machine = {2, 512, "tcg", "real"};
  Answer answer;
  answer.kind = Answer::Kind::commit;
  answer.commits = {{{std::string(40, 'c')}, "nsproxy: wait for a grace period", 0, {}}};
  answer.effect = -0.942;
  answer.effect_low = -0.951;
  answer.effect_high = -0.93;
  answer.confidence = 0.992;
  facts.answer = answer;
  facts.probes = {{{std::string(40, 'a')}, "Linux 6.1", Outcome::good, "like good", 3, 742.1},
                  {{std::string(40, 'd')},
                   "net: \033[31mred",
                   Outcome::skip,
                   "does not build: kernel/nsproxy.c:42: error: expected ';' before '}' token",
                   0,
                   {}},
                  {{std::string(40, 'c')},
                   "nsproxy: wait for a grace period",
                   Outcome::bad,
                   "like bad",
                   3,
                   37.31}};
  facts.cost = {7, 2, 28, 720, 180, 1000};
  return facts;
}

TEST(BisectText, SaysItAll) {
  const auto text = bisect_text(answered());
  test::expect_plain(text);
  test::expect_golden("bisect.txt", text);
}

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

TEST(BisectText, SaysWhatTheProofIs) {
  auto facts = answered();
  facts.answer->revert = RevertOutcome{"confirmed", "", 0.97, 0.04, 6};
  facts.answer->two_changes = 0.02;
  EXPECT_NE(bisect_text(facts).find(
                "  revert       confirmed: on top of BAD it brings back 97 % of the difference\n"
                "               (standard error 4 %, 6 boots of each kernel)\n"
                "  changes      1 (probability 98 %)\n"),
            std::string::npos)
      << bisect_text(facts);
  facts.answer->revert = RevertOutcome{"", "cccccccccccc is a merge", {}, {}, 0};
  EXPECT_NE(bisect_text(facts).find("  revert       not tested: cccccccccccc is a merge\n"),
            std::string::npos);
}

TEST(BisectText, NamesFurtherChanges) {
  auto facts = answered();
  facts.answer->further = {
      {{{{std::string(40, 'e')}, "and another", 0, {}}}, true, "", -0.2, -0.22, -0.18, 0.995}};
  facts.answer->rest = -0.001;
  facts.answer->search_for_more = "no further commit changes the level (probability 99.5 %)";
  const auto text = bisect_text(facts);
  EXPECT_NE(text.find("  changes      2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("               no further commit changes the level (probability 99.5 %)\n"),
            std::string::npos);
  EXPECT_NE(text.find("\na further change, before that\n"
                      "  eeeeeeeeeeee and another\n"
                      "  effect       -20.0 % (95 % interval -22.0 % to -18.0 %)\n"
                      "  confidence   99.5 %\n"),
            std::string::npos)
      << text;
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

TEST(BisectJson, HasTheAgreedFields) {
  test::expect_golden("bisect.json", bisect_json(answered()));
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
