#include "report/bisect_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "examples.h"
#include "golden.h"

namespace bisect_run::report {
namespace {

using test::answered;
using test::induced;

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

TEST(BisectText, LabelsAConfigInducedAnswer) {
  auto facts = answered();
  facts.answer->config_change = induced();
  const auto text = bisect_text(facts);
  test::expect_plain(text);
  EXPECT_NE(
      text.find("  config       config-induced: this commit changes the configuration of the\n"
                "               variant\n"
                "               RCU_NOCB_CPU_ALL: - in the parent, y here\n"
                "               boot arguments: rcu_nocbs=1-{last} in the parent, - here\n"
                "  cause        the configuration, not the code: the parent dddddddddddd is at\n"
                "               the new level, too, with the same by boot arguments\n"
                "               (all-by-list)\n"
                "               (36.50 items/s there)\n"),
      std::string::npos)
      << text;
  facts.answer->config_change->cause = ConfigChange::Cause::commit;
  EXPECT_NE(bisect_text(facts).find("  cause        the commit's code: "), std::string::npos);
}

TEST(BisectText, RepeatsWithTheSameBuildAndMachine) {
  auto facts = answered();
  facts.machine = {1, 1024, "tcg", "virtual"};
  facts.run.build = {"gcc-9", {"LLVM=1"}, "/home/me/my config"};
  const auto text = bisect_text(facts);
  for (const auto* option :
       {"--cpus 1", "--memory 1024MiB", "--clock virtual", "--config '/home/me/my config'",
        "--compiler gcc-9", "--make-arg LLVM=1"})
    EXPECT_NE(text.find(option), std::string::npos) << option << " in " << text;
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

TEST(BisectText, TellsChangesOfManyTimesAsFactors) {
  auto facts = answered();
  facts.answer->effect = 2751.12;
  facts.answer->effect_low = 1879.955;
  facts.answer->effect_high = 4025.76;
  EXPECT_NE(bisect_text(facts).find("  effect       x2752 (95 % interval x1881 to x4027)\n"),
            std::string::npos)
      << bisect_text(facts);
  facts.answer->effect_low.reset();
  EXPECT_NE(bisect_text(facts).find("  effect       x2752\n"), std::string::npos);
}

TEST(BisectText, SaysWhyAnEffectIsNotKnown) {
  auto facts = answered();
  facts.answer->effect.reset();
  EXPECT_NE(
      bisect_text(facts).find("  effect       not known: too few boots of it and its parents"),
      std::string::npos)
      << bisect_text(facts);
  facts.answer->commits.clear();
  facts.answer->kind = Answer::Kind::none;
  EXPECT_EQ(bisect_text(facts).find("  effect "), std::string::npos);
}

TEST(BisectText, ExplainsGoodCommitsBehindTheAnswer) {
  auto facts = answered();
  EXPECT_EQ(bisect_text(facts).find("without it"), std::string::npos);
  facts.beside = {{std::string(40, 'e')}};
  EXPECT_NE(
      bisect_text(facts).find("  (eeeeeeeeeeee comes after cccccccccccc in this order, but on "
                              "a branch\n   without it)\n"),
      std::string::npos)
      << bisect_text(facts);
  facts.beside.assign(6, {std::string(40, 'e')});
  EXPECT_NE(bisect_text(facts).find("and 2 more"), std::string::npos);
  EXPECT_NE(bisect_text(facts).find("branches without it)"), std::string::npos);
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

TEST(BisectJson, HasWhatTheConfigurationChanged) {
  auto facts = answered();
  facts.answer->config_change = induced();
  const auto answer = nlohmann::json::parse(bisect_json(facts))["answer"];
  EXPECT_EQ(answer["config_induced"], true);
  EXPECT_EQ(answer["config_change"]["parent"], std::string(40, 'd'));
  EXPECT_EQ(answer["config_change"]["differences"][0]["what"], "RCU_NOCB_CPU_ALL");
  EXPECT_EQ(answer["config_change"]["differences"][0]["commit"], "y");
  EXPECT_EQ(answer["config_change"]["cause"], "configuration");
  EXPECT_EQ(answer["config_change"]["value"], 36.5);
}

TEST(BisectJson, HasTheRemediesOfEachKernel) {
  const auto json = nlohmann::json::parse(bisect_json(test::told_in_full()));
  ASSERT_EQ(json["kernels"].size(), 1u);
  const auto& kernel = json["kernels"][0];
  EXPECT_EQ(kernel["remedies"][0]["name"], "compiler-header");
  EXPECT_EQ(kernel["offloaded"], "");
  EXPECT_TRUE(kernel["failure"].is_null());
  // What was kept goes without saying.
  ASSERT_EQ(kernel["not_kept"].size(), 1u);
  EXPECT_EQ(kernel["not_kept"][0]["symbol"], "RCU_LAZY");
  EXPECT_EQ(json["beside"][0], std::string(40, 'f'));
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

std::vector<ToldStep> some_steps() {
  ToldStep calibration;
  calibration.oid = {std::string(40, 'a')};
  calibration.subject = "Linux 6.1";
  calibration.built_for_it = true;
  calibration.value = 742.1;
  calibration.why = "calibration, pair 1";
  ToldStep apart = calibration;
  apart.built_for_it = false;
  apart.why = "calibration, pair 3";
  apart.after = ToldBelief{.open = 55, .favourite = {}, .favourite_mass = 0};
  ToldStep broken;
  broken.kind = ToldStep::Kind::build_failed;
  broken.oid = {std::string(40, 'd')};
  broken.subject = "net: \033[31mred";
  broken.failure = "`make bzImage` failed: kernel/utsname.c:69:9: error";
  broken.why = "untried, 50 % likely to have the new level: promises 0.98 bits";
  broken.before = broken.after = apart.after;
  ToldStep probe;
  probe.oid = {std::string(40, 'c')};
  probe.subject = "nsproxy: wait for a grace period";
  probe.value = 37.31;
  probe.built_for_it = true;
  probe.before = apart.after;
  probe.after = ToldBelief{.open = 1, .favourite = probe.oid, .favourite_mass = 0.97};
  return {calibration, apart, broken, probe};
}

TEST(ShowText, TellsWhyEachStepWasMadeAndWhatItChanged) {
  auto facts = answered();
  facts.steps = some_steps();
  facts.limits = {"budget 6 h", "first parents only"};
  const auto text = show_text(facts);
  test::expect_plain(text);
  test::expect_golden("show_steps.txt", text);
}

TEST(ShowText, SaysWhyTheStepsAreNotKnown) {
  auto facts = answered();
  facts.untold = "/srv/git/my linux: no such directory";
  EXPECT_NE(show_text(facts).find("no such directory"), std::string::npos);
}

TEST(BisectText, ASetOfOneIsNotConfirmed) {
  auto facts = answered();
  facts.answer->kind = Answer::Kind::set;
  EXPECT_NE(bisect_text(facts).find("probably this one, not confirmed"), std::string::npos);
}

}  // namespace
}  // namespace bisect_run::report
