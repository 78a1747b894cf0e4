#include "store/json.h"

#include <gtest/gtest.h>

namespace bisect_run::store {
namespace {

// Bytes that are no UTF-8, as old subjects and patches hold them.
const std::string kLatin1 = "Fix for Andr\xe9\n";

TEST(Json, RequestComesBackWhole) {
  RunRequest request;
  request.kind = RunKind::compare;
  request.repository = "/srv/linux \xff";
  request.kernels = {
      {"v6.1+fix.patch@all", {std::string(40, 'a')}, {{"fix.patch", kLatin1}}, "all"},
      {"v6.1", {std::string(40, 'b')}, {}, "none"}};
  request.scenario = "netns-scaling";
  request.mode = "fork";
  request.metric = "add+exec";
  request.marks = {50, 100};
  request.cpus = {1, 4};
  request.machine = {4, 1024, "tcg", "virtual"};
  request.boots = 7;
  request.find_fix = true;
  request.strategy = "three-way";
  request.build = {"gcc-9", {"LLVM=1", "W=1"}, "/home/\xff/my.config"};
  request.kernels[0].machine = Machine{4, 1024, "tcg", "virtual"};
  const auto back = request_from(to_json(request));
  ASSERT_TRUE(back) << back.error().message << back.error().detail;
  EXPECT_EQ(back->kind, request.kind);
  EXPECT_EQ(back->repository, request.repository);
  EXPECT_EQ(back->kernels, request.kernels);
  EXPECT_EQ(back->kernels[0].text, request.kernels[0].text);
  EXPECT_EQ(back->kernels[0].patches[0].name, "fix.patch");
  EXPECT_EQ(back->kernels[0].patches[0].text, kLatin1);
  EXPECT_EQ(back->scenario, request.scenario);
  EXPECT_EQ(back->mode, request.mode);
  EXPECT_EQ(back->metric, request.metric);
  EXPECT_EQ(back->marks, request.marks);
  EXPECT_EQ(back->cpus, request.cpus);
  EXPECT_EQ(back->machine, request.machine);
  EXPECT_EQ(back->boots, 7);
  EXPECT_TRUE(back->find_fix);
  EXPECT_EQ(back->strategy, "three-way");
  EXPECT_EQ(back->build, request.build);
  EXPECT_EQ(back->kernels[0].machine, request.kernels[0].machine);
  EXPECT_FALSE(back->kernels[1].machine);
}

TEST(Json, WhatNarrowsASearchComesBackWhole) {
  RunRequest request;
  request.kind = RunKind::calibrate;
  request.kernels = {{"a", {"a"}, {}, {}}, {"b", {"b"}, {}, {}}};
  request.budget_s = 21600.5;
  request.confidence = 0.999;
  request.min_effect = 0.05;
  request.more_good = {{std::string(40, 'a')}, {std::string(40, 'b')}};
  request.untestable = {{std::string(40, 'c')}};
  request.paths = {"kernel/", kLatin1};
  request.first_parent = true;
  request.imported = "/home/me/bisect.log";
  request.judge_file = "/home/me/judge.json";
  request.host = {"never", "3GB", "qemu:///system"};
  request.fail_on_regression = true;
  const auto back = request_from(to_json(request));
  ASSERT_TRUE(back) << back.error().message << back.error().detail;
  EXPECT_EQ(back->kind, request.kind);
  EXPECT_EQ(back->budget_s, request.budget_s);
  EXPECT_EQ(back->confidence, request.confidence);
  EXPECT_EQ(back->min_effect, request.min_effect);
  EXPECT_EQ(back->more_good, request.more_good);
  EXPECT_EQ(back->untestable, request.untestable);
  EXPECT_EQ(back->paths, request.paths);
  EXPECT_TRUE(back->first_parent);
  EXPECT_EQ(back->imported, request.imported);
  EXPECT_EQ(back->judge_file, request.judge_file);
  EXPECT_EQ(back->host, request.host);
  EXPECT_TRUE(back->fail_on_regression);
}

TEST(Json, AnswerComesBackWhole) {
  Answer answer;
  answer.kind = Answer::Kind::set;
  answer.commits = {{{std::string(40, 'c')}, kLatin1, 1234567890, {{std::string(40, 'd')}}}};
  answer.reason = "a broken stretch";
  answer.effect = -0.94;
  answer.effect_low = -0.96;
  answer.confidence = 0.995;
  answer.config_change = ConfigChange{.parent = {std::string(40, 'd')},
                                      .differences = {{"RCU_NOCB_CPU_ALL", "-", "y"}},
                                      .equivalent = "all-by-list",
                                      .cause = ConfigChange::Cause::both,
                                      .reason = "why",
                                      .value = 3.5};
  answer.two_changes = 0.25;
  answer.rest = -0.03;
  answer.search_for_more = kLatin1;
  answer.further = {{answer.commits, true, "a set", -0.2, -0.3, -0.1, 0.99}};
  answer.revert = RevertOutcome{"partial", "no boots left", 0.6, 0.05, 7};
  const auto back = answer_from(to_json(answer));
  ASSERT_TRUE(back) << back.error().detail;
  EXPECT_EQ(back->kind, Answer::Kind::set);
  ASSERT_EQ(back->commits.size(), 1u);
  EXPECT_EQ(back->commits[0].oid, answer.commits[0].oid);
  EXPECT_EQ(back->commits[0].subject, kLatin1);
  EXPECT_EQ(back->commits[0].commit_time, 1234567890);
  EXPECT_EQ(back->commits[0].parents, answer.commits[0].parents);
  EXPECT_EQ(back->two_changes, 0.25);
  EXPECT_EQ(back->rest, -0.03);
  EXPECT_EQ(back->search_for_more, kLatin1);
  ASSERT_EQ(back->further.size(), 1U);
  EXPECT_EQ(back->further[0].commits[0].oid, answer.commits[0].oid);
  EXPECT_TRUE(back->further[0].before);
  EXPECT_EQ(back->further[0].reason, "a set");
  EXPECT_EQ(back->further[0].effect_low, -0.3);
  EXPECT_EQ(back->further[0].confidence, 0.99);
  ASSERT_TRUE(back->revert);
  EXPECT_EQ(back->revert->verdict, "partial");
  EXPECT_EQ(back->revert->why_not, "no boots left");
  EXPECT_EQ(back->revert->recovered, 0.6);
  EXPECT_EQ(back->revert->boots, 7);
  EXPECT_EQ(back->reason, answer.reason);
  EXPECT_EQ(back->effect, answer.effect);
  EXPECT_EQ(back->effect_low, answer.effect_low);
  EXPECT_EQ(back->effect_high, std::nullopt);
  EXPECT_EQ(back->confidence, answer.confidence);
  ASSERT_TRUE(back->config_change);
  EXPECT_EQ(back->config_change->parent, answer.config_change->parent);
  ASSERT_EQ(back->config_change->differences.size(), 1u);
  EXPECT_EQ(back->config_change->differences[0].what, "RCU_NOCB_CPU_ALL");
  EXPECT_EQ(back->config_change->differences[0].parent, "-");
  EXPECT_EQ(back->config_change->differences[0].commit, "y");
  EXPECT_EQ(back->config_change->equivalent, "all-by-list");
  EXPECT_EQ(back->config_change->cause, ConfigChange::Cause::both);
  EXPECT_EQ(back->config_change->reason, "why");
  EXPECT_EQ(back->config_change->value, 3.5);
}

TEST(Json, ToleratesOtherVersionsButNotDamage) {
  EXPECT_TRUE(request_from(
      R"({"kind":"compare","kernels":[{"commit":"a"}],"machine":{},"of-tomorrow":1})"));
  for (const auto* text :
       {"", "[]", "{", R"({"kind":"dance","kernels":[],"machine":{}})",
        R"({"kind":1,"kernels":[],"machine":{}})", R"({"kind":"bisect"})",
        R"({"kind":"bisect","kernels":[{"commit":"a"}],"machine":{}})",
        R"({"kind":"scenario","kernels":[],"machine":{}})",
        R"({"kind":"scenario","kernels":[{"commit":"\u001b[2J"}],"machine":{}})"}) {
    const auto request = request_from(text);
    ASSERT_FALSE(request) << text;
    EXPECT_EQ(request.error().kind, ErrorKind::infra);
  }
}

// What `scenario --here` measures is no commit.
TEST(Json, ThisMachinesOwnKernelHasAName) {
  const KernelSpec own{"linux-6.18.44-fc+v669~1_x", {"linux-6.18.44-fc+v669~1_x"}, {}, "here"};
  const auto back = spec_from(to_json(own));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->commit, own.commit);
  for (const auto* none : {"linux-6.1; rm", "linux-6.1/../x", "linux-\033[2J", "windows-6.1"}) {
    auto odd = own;
    odd.commit.hex = none;
    EXPECT_FALSE(spec_from(to_json(odd))) << none;
  }
}

TEST(Json, AnAnswerNamesItsCommits) {
  EXPECT_TRUE(answer_from(R"({"kind":"none","commits":[]})"));
  for (const auto* text :
       {R"({"kind":"commit","commits":[]})", R"({"kind":"set","commits":[]})",
        R"({"kind":"commit","commits":[{"oid":"a b"}]})",
        R"({"kind":"commit","commits":[{"oid":"a"}],"further":[{"commits":[],"effect":0,
            "effect_low":0,"effect_high":0,"confidence":0}]})"})
    EXPECT_FALSE(answer_from(text)) << text;
}

}  // namespace
}  // namespace bisect_run::store
