#include <sys/syscall.h>

#include "agent_process.h"
#include "support/hidden_call.h"
#include "workload_fixture.h"

namespace bisect_run::agent {
namespace {

/// All that a run here could leave on the machine. (Namespaces without a name go with their last
/// process: that one is looked for by pid.)
std::string machine() {
  return test::output_of(
      "ip -o link | sed 's/[0-9]*: //'; ls -A /run/netns 2>&1; cat /proc/self/mounts");
}

/// Each test finds the machine as it was before, when it is over.
class HereTest : public WorkloadTest {
 protected:
  void SetUp() override {
    WorkloadTest::SetUp();
    machine_ = machine();
  }
  void TearDown() override { EXPECT_EQ(machine(), machine_); }

  std::string machine_;
};

TEST_F(HereTest, SaysHelloMeasuresAndPowersOff) {
  AgentProcess agent;
  const auto hello = agent.await<wire::Hello>();
  ASSERT_TRUE(hello);
  EXPECT_EQ(hello->release + "\n", test::output_of("uname -r"));
  EXPECT_EQ(hello->cmdline + "\n", test::output_of("cat /proc/cmdline"));
  EXPECT_EQ(std::to_string(hello->cpus) + "\n", test::output_of("getconf _NPROCESSORS_ONLN"));
  EXPECT_GT(hello->clock_resolution_ns, 0);
  for (const char* mode : {"fork", "process", "direct"}) {
    agent.say(request(mode, {{"netns_add", {}}}, 5));
    int samples = 0;
    while (auto message = agent.next()) {
      ASSERT_FALSE(std::holds_alternative<wire::Failed>(*message))
          << std::get<wire::Failed>(*message).reason;
      if (std::holds_alternative<wire::Done>(*message)) break;
      samples += std::holds_alternative<wire::SampleMessage>(*message);
    }
    EXPECT_EQ(samples, 3) << mode;
  }
  agent.say(wire::PowerOff{});
  EXPECT_EQ(agent.wait(), 0);
}

TEST_F(HereTest, EndOfInputIsTheEnd) {
  AgentProcess agent;
  ASSERT_TRUE(agent.await<wire::Hello>());
  agent.end_input();
  EXPECT_EQ(agent.wait(), 0);
}

TEST_F(HereTest, StrangeLinesAreAnsweredAndServiceGoesOn) {
  AgentProcess agent;
  agent.say("nonsense\n");
  const auto failed = agent.await<wire::Failed>();
  ASSERT_TRUE(failed);
  EXPECT_NE(failed->reason.find("not JSON"), std::string::npos);
  agent.say(request("no-mode", {{"netns_add", {}}}, 5));
  const auto mode = agent.await<wire::Failed>();
  ASSERT_TRUE(mode);
  EXPECT_NE(mode->reason.find("no mode no-mode"), std::string::npos) << mode->reason;
  agent.say(request("fork", {{"netns_add", {}}}, 5));
  EXPECT_TRUE(agent.await<wire::Done>());
}

// As on 2.6.39: what needs setns is not available, and the workloads that do without it go on.
TEST_F(HereTest, OnAKernelWithoutSetnsTheRestGoesOn) {
  if (!test::can_hide_calls()) GTEST_SKIP() << "this kernel has no seccomp filters";
  AgentProcess agent([] { test::hide_call(SYS_setns); });
  const wire::Step two{"netns_add", {{"count", std::int64_t{2}}}};
  const std::pair<std::string, wire::RunWorkload> lacking[] = {
      {"setns", request("fork", {{"setns", {}}}, 5, {two})},
      {"netns_exec", request("fork", {{"netns_add", {}}, {"netns_exec", {}}}, 5)},
      {"netns_add", request("direct", {{"netns_add", {}}}, 5)}};
  for (const auto& [op, workload] : lacking) {
    agent.say(workload);
    const auto failed = agent.await<wire::Failed>();
    ASSERT_TRUE(failed) << op;
    EXPECT_EQ(failed->op, op);
    EXPECT_TRUE(failed->unavailable) << failed->reason;
    EXPECT_NE(failed->reason.find("setns"), std::string::npos) << failed->reason;
    agent.say(request("fork", {{"netns_add", {}}}, 5));
    EXPECT_TRUE(agent.await<wire::Done>()) << "after " << op;
  }
}

// A host sends the next workload as soon as it has read `done`.
TEST_F(HereTest, WorkloadsFollowEachOtherWithoutAPause) {
  AgentProcess agent;
  for (int i = 0; i < 20; ++i) {
    agent.say(request("direct", {{"netns_add", {}}}, 1));
    ASSERT_TRUE(agent.await<wire::Done>()) << i;
  }
}

TEST_F(HereTest, HeartbeatsTellOfProgressAndASecondWorkloadIsRefused) {
  AgentProcess agent;
  agent.say(request("fork", {{"setns", {{"among", std::int64_t{1}}}}}, 1'000'000'000,
                    {{"netns_add", {}}}));
  const auto first = agent.await<wire::Heartbeat>(), second = agent.await<wire::Heartbeat>();
  ASSERT_TRUE(first && second);
  EXPECT_GT(second->items, first->items);
  agent.say(request("fork", {{"netns_add", {}}}, 5));
  const auto refused = agent.await<wire::Failed>();
  ASSERT_TRUE(refused);
  EXPECT_NE(refused->reason.find("running already"), std::string::npos);
}

bool gone(pid_t pid) {
  for (int look = 0; look < 400; ++look) {
    if (::kill(pid, 0) != 0 && errno == ESRCH) return true;
    ::usleep(25'000);
  }
  return false;
}

/// In the middle of a loop that makes namespaces and pairs.
void end_by(int number, int status) {
  AgentProcess agent;
  wire::RunWorkload many = request("fork", {{"netns_add", {}}, {"veth_into_netns", {}}}, 0);
  many.workload.loops[0].marks = {10, 1'000'000};
  agent.say(many);
  ASSERT_TRUE(agent.await<wire::SampleMessage>());
  const std::string pid = std::to_string(agent.pid());
  const std::string worker = test::output_of("cat /proc/" + pid + "/task/" + pid + "/children");
  const pid_t measuring = std::atoi(worker.c_str());
  ASSERT_GT(measuring, 1) << worker;
  agent.signal(number);
  EXPECT_EQ(agent.wait(), status);
  // It is PID 1 of its namespaces: with it go all processes, mounts and networks in them.
  EXPECT_TRUE(gone(measuring));
}

TEST_F(HereTest, EndedByTermLeavesNothing) {
  end_by(SIGTERM, 128 + SIGTERM);
}
TEST_F(HereTest, EndedByInterruptLeavesNothing) {
  end_by(SIGINT, 128 + SIGINT);
}
TEST_F(HereTest, EndedByKillLeavesNothing) {
  end_by(SIGKILL, -1);
}

}  // namespace
}  // namespace bisect_run::agent
