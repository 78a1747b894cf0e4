#include "workload_fixture.h"

namespace bisect_run::agent {
namespace {

using Names = std::set<std::string>;
using RunnerTest = WorkloadTest;

TEST_F(RunnerTest, WhatTheTableRefusesIsAFaultWithItsName) {
  isolated([] {
    LookingTaker taker;
    const Outcome direct = run_here(request("direct", {{"netns_exec", {}}}, 1), taker);
    ASSERT_FALSE(direct);
    EXPECT_EQ(direct.error().op, "netns_exec");
    EXPECT_NE(direct.error().reason.find("no mode direct"), std::string::npos);
    const Outcome unknown = run_here(request("fork", {{"nets_add", {}}}, 1), taker);
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().reason.find("did you mean 'netns_add'"), std::string::npos);
  });
}

TEST_F(RunnerTest, LeftoversOfAnEarlierCrashAreClearedFirst) {
  isolated([] {
    test::output_of("ip netns add old; ip link add v0 type veth peer name v1");
    ASSERT_EQ(link_names(), (Names{"lo", "v0", "v1"}));
    LookingTaker taker([] {
      EXPECT_EQ(netns_names(), Names{"ns0"});
      EXPECT_EQ(link_names(), Names{"lo"});
    });
    const Outcome done = run_here(request("fork", {{"netns_add", {}}}, 1), taker);
    EXPECT_TRUE(done) << done.error().reason;
    EXPECT_EQ(taker.samples.size(), 1U);
  });
}

TEST_F(RunnerTest, RepetitionsStartFromTheEmptyGuest) {
  isolated([] {
    int looks = 0;
    LookingTaker taker([&] {
      ++looks;
      EXPECT_EQ(netns_names(), (Names{"ns0", "ns1"}));
    });
    wire::RunWorkload twice = request("fork", {{"netns_add", {}}}, 2);
    twice.repetitions = 2;
    ASSERT_TRUE(run_here(twice, taker));
    EXPECT_EQ(looks, 2);
    EXPECT_EQ(taker.samples.front().repetition, 0);
    EXPECT_EQ(taker.samples.back().repetition, 1);
  });
}

TEST_F(RunnerTest, MarksGoOnFromOneAnother) {
  isolated([] {
    std::vector<std::size_t> sizes;
    LookingTaker taker([&] { sizes.push_back(netns_names().size()); });
    wire::RunWorkload run = request("fork", {{"netns_add", {}}}, 0);
    run.workload.loops[0].marks = {4, 6};
    ASSERT_TRUE(run_here(run, taker));
    EXPECT_EQ(sizes, (std::vector<std::size_t>{4, 6}));
    EXPECT_EQ(taker.samples.size(), 5U);  // three chunks, then two items
  });
}

TEST_F(RunnerTest, TeardownStepsRun) {
  isolated([] {
    wire::RunWorkload run = request("fork", {{"netns_add", {}}}, 1);
    run.workload.teardown = {{"netns_delete", {{"prefix", std::string("none")}}}};
    LookingTaker taker;
    const Outcome done = run_here(run, taker);
    ASSERT_FALSE(done);  // there is none0 to delete: the step was really tried
    EXPECT_EQ(done.error().op, "netns_delete");
  });
}

}  // namespace
}  // namespace bisect_run::agent
