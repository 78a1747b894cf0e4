#include <unistd.h>

#include "workload_fixture.h"

namespace bisect_run::agent {
namespace {

using Names = std::set<std::string>;

class NetnsTest : public WorkloadTest {};
INSTANTIATE_TEST_SUITE_P(Modes, NetnsTest, kEveryMode);

TEST_P(NetnsTest, AddMakesNamedNamespacesAndTheirSamples) {
  isolated([] {
    LookingTaker taker([] {
      EXPECT_EQ(netns_names(), (Names{"ns0", "ns1", "ns2", "ns3", "ns4", "ns5", "ns6"}));
      EXPECT_EQ(link_names("-n ns6"), Names{"lo"});
    });
    const Outcome done = run_here(request(GetParam(), {{"netns_add", {}}}, 7), taker);
    ASSERT_TRUE(done) << done.error().reason;
    ASSERT_EQ(taker.samples.size(), 3U);
    EXPECT_EQ(taker.samples[0].items, 2);  // floor(7/3)
    EXPECT_EQ(taker.samples[1].items, 2);  // floor(14/3) - 2
    EXPECT_EQ(taker.samples[2].items, 3);
    for (const auto& sample : taker.samples) {
      EXPECT_EQ(sample.mark, 7);
      EXPECT_GT(sample.wall_ns, 0);
      EXPECT_TRUE(sample.user_ns && sample.system_ns && sample.voluntary_switches);
    }
  });
}

TEST_P(NetnsTest, AddWithACountInSetup) {
  isolated([] {
    LookingTaker taker([] { EXPECT_EQ(netns_names(), (Names{"a0", "a1", "a2", "b0"})); });
    const wire::Step three{"netns_add", {{"prefix", std::string("a")}, {"count", std::int64_t{3}}}};
    const wire::Step one{"netns_add", {{"prefix", std::string("b")}}};
    const Outcome done = run_here(request(GetParam(), {one}, 1, {three}), taker);
    ASSERT_TRUE(done) << done.error().reason;
    EXPECT_EQ(taker.samples.size(), 1U);
  });
}

TEST_P(NetnsTest, DeleteRemovesTheName) {
  isolated([] {
    LookingTaker taker([] { EXPECT_EQ(netns_names(), (Names{"ns2", "ns3"})); });
    const wire::Step four{"netns_add", {{"count", std::int64_t{4}}}};
    const Outcome done = run_here(request(GetParam(), {{"netns_delete", {}}}, 2, {four}), taker);
    EXPECT_TRUE(done) << done.error().reason;
  });
}

TEST_P(NetnsTest, VethGetsItsInnerEndIntoTheNamespace) {
  isolated([] {
    LookingTaker taker([] {
      EXPECT_EQ(link_names(), (Names{"lo", "qro-00000000000", "qro-00000000001"}));
      EXPECT_EQ(link_names("-n ns1"), (Names{"lo", "qri-00000000001"}));
    });
    const Outcome done =
        run_here(request(GetParam(), {{"netns_add", {}}, {"veth_into_netns", {}}}, 2), taker);
    EXPECT_TRUE(done) << done.error().reason;
  });
}

TEST_P(NetnsTest, FailureInTheMiddleLeavesNothing) {
  isolated([] {
    LookingTaker taker;
    const wire::Step second{"veth_into_netns", {{"inner", std::string("x")}}};  // outer: taken
    const Outcome done = run_here(
        request(GetParam(), {{"netns_add", {}}, {"veth_into_netns", {}}, second}, 3), taker);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().op, "veth_into_netns");
    EXPECT_NE(done.error().reason.find("File exists"), std::string::npos) << done.error().reason;
    EXPECT_FALSE(done.error().unavailable);
    EXPECT_TRUE(taker.samples.empty());
  });
}

TEST_P(NetnsTest, SetnsMovesAndComesHome) {
  isolated([] {
    const auto inside = [] {
      return test::output_of("readlink /proc/" + std::to_string(::getpid()) + "/ns/net");
    };
    const std::string home = inside();
    std::string there;
    LookingTaker taker([&] { there = inside(); });
    const wire::Step two{"netns_add", {{"count", std::int64_t{2}}}};
    const Outcome done = run_here(request(GetParam(), {{"setns", {}}}, 50, {two}), taker);
    ASSERT_TRUE(done) << done.error().reason;
    EXPECT_NE(there, home);
    EXPECT_EQ(inside(), home);
  });
}

class NetnsExecTest : public WorkloadTest {};
INSTANTIATE_TEST_SUITE_P(Modes, NetnsExecTest, testing::Values("process", "fork"));

TEST_P(NetnsExecTest, DoesWhatItSaysInsideAndOnlyThere) {
  isolated([] {
    const auto flags = [](const std::string& place) {
      return test::output_of("ip " + place + " link show lo");
    };
    const auto forward = [](const std::string& before) {
      return test::output_of(before + " cat /proc/sys/net/ipv4/ip_forward");
    };
    LookingTaker taker([&] {
      EXPECT_NE(flags("-n up1").find(",UP"), std::string::npos);
      EXPECT_EQ(flags("-n not1").find(",UP"), std::string::npos);
      EXPECT_EQ(flags("").find(",UP"), std::string::npos);
      EXPECT_EQ(forward("ip netns exec up1"), "1\n");
      EXPECT_EQ(forward(""), "0\n");
    });
    const std::string up = "up", idle = "not";
    const Outcome done =
        run_here(request(GetParam(),
                         {{"netns_add", {{"prefix", up}}},
                          {"netns_add", {{"prefix", idle}}},
                          {"netns_exec", {{"prefix", up}, {"do", std::string("lo_up")}}},
                          {"netns_exec", {{"prefix", up}, {"do", std::string("ip_forward")}}},
                          {"netns_exec", {{"prefix", idle}, {"do", std::string("nothing")}}}},
                         2),
                 taker);
    EXPECT_TRUE(done) << done.error().reason;
    EXPECT_FALSE(taker.samples.empty());
  });
}

TEST_P(NetnsExecTest, OwnMountsStayAsTheyWere) {
  isolated([] {
    const auto mounts = [] { return test::output_of("grep -v /run/netns /proc/self/mounts"); };
    const std::string before = mounts();
    LookingTaker taker;
    const Outcome done =
        run_here(request(GetParam(), {{"netns_add", {}}, {"netns_exec", {}}}, 2), taker);
    EXPECT_TRUE(done) << done.error().reason;
    EXPECT_EQ(mounts(), before);
  });
}

}  // namespace
}  // namespace bisect_run::agent
