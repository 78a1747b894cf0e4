#include "lab/session.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "support/hello.h"

namespace bisect_run::lab {
namespace {

using test::hello;

constexpr std::int64_t kMillisecond = 1'000'000;

Scenario scenario() {
  wire::Loop loop;
  loop.metric = "add";
  loop.marks = {4, 9};
  wire::Loop single;
  single.metric = "all";
  single.count = 3;
  Scenario it;
  it.mode = "fork";
  it.chunks = 2;
  it.repetitions = 1;
  it.workloads = {{"w1", {}, {loop, single}, {}}, {"w2", {}, {single}, {}}};
  return it;
}

wire::SampleMessage sample(std::int64_t id, const char* metric, std::int64_t mark, int chunk,
                           std::int64_t items) {
  wire::SampleMessage it;
  it.id = id;
  it.metric = metric;
  it.mark = mark;
  it.chunk = chunk;
  it.items = items;
  it.wall_ns = 5 * kMillisecond;
  return it;
}

std::string line(const wire::GuestMessage& message) {
  return wire::encode(message);
}

std::string first_workload() {
  return line(sample(1, "add", 4, 0, 2)) + line(sample(1, "add", 4, 1, 2)) +
         line(sample(1, "add", 9, 0, 2)) + line(sample(1, "add", 9, 1, 3)) +
         line(sample(1, "all", 0, 0, 3));
}

class SessionTest : public ::testing::Test {
 protected:
  void say(const std::string& bytes, double now = 2) { session_.receive(bytes, now); }
  void say_hello() { say(line(hello()), 1); }

  BootOutcome outcome() const {
    return session_.ending() ? session_.ending()->outcome : BootOutcome::running;
  }
  std::string reason() const { return session_.ending() ? session_.ending()->reason : ""; }

  std::vector<Session::Event> events() {
    std::vector<Session::Event> all;
    while (auto event = session_.next_event()) all.push_back(*event);
    return all;
  }

  Session session_{scenario(), Proof{"build", "config", "none", "agent", 2}, Deadlines{}};
};

TEST_F(SessionTest, AWholeTalkIsCompleteWithEverySampleOnce) {
  say_hello();
  EXPECT_NE(session_.take_outgoing().find("w1"), std::string::npos);
  say(first_workload() + line(wire::Done{1, "tsc"}));
  EXPECT_EQ(outcome(), BootOutcome::running) << reason();
  EXPECT_NE(session_.take_outgoing().find("w2"), std::string::npos);
  say(line(wire::Heartbeat{2, 1}) + line(sample(2, "all", 0, 0, 3)) + line(wire::Done{2, "tsc"}));
  EXPECT_EQ(outcome(), BootOutcome::complete) << reason();
  EXPECT_EQ(events().size(), 1u + 6u);
  EXPECT_DOUBLE_EQ(session_.fraction(), 1);
}

TEST_F(SessionTest, NoiseBeforeTheHelloIsNoFault) {
  say(std::string("\x00\xff{\"not json\nSeaBIOS\r\n", 22) + "junk" + line(hello()), 1);
  EXPECT_TRUE(session_.said_hello());
  EXPECT_EQ(outcome(), BootOutcome::running) << reason();
}

TEST_F(SessionTest, EndlessNoiseBeforeTheHelloIs) {
  for (int i = 0; i < 100; ++i) say(std::string(10'000, '\n'));
  EXPECT_EQ(outcome(), BootOutcome::protocol);
}

TEST_F(SessionTest, AMessageBeforeTheHello) {
  say(line(sample(1, "add", 4, 0, 2)));
  EXPECT_EQ(outcome(), BootOutcome::protocol);
}

TEST_F(SessionTest, ARepeatedHelloIsNoFaultAnotherOneIs) {
  say_hello();
  say(line(hello()));
  EXPECT_EQ(outcome(), BootOutcome::running) << reason();
  EXPECT_EQ(events().size(), 1u) << "one handshake";
  auto other = hello();
  other.release = "6.2.0";
  say(line(other));
  EXPECT_EQ(outcome(), BootOutcome::protocol);
}

wire::Failed lacking(std::int64_t id) {
  wire::Failed it;
  it.id = id;
  it.op = "link_add";
  it.reason = "no team driver";
  it.unavailable = true;
  return it;
}

TEST_F(SessionTest, WhatTheKernelLacksIsSaidAndTheRestGoesOn) {
  say_hello();
  say(line(lacking(1)));
  EXPECT_EQ(outcome(), BootOutcome::running);
  EXPECT_NE(session_.take_outgoing().find("w2"), std::string::npos);
  say(line(sample(2, "all", 0, 0, 3)) + line(wire::Done{2, "tsc"}));
  EXPECT_EQ(outcome(), BootOutcome::complete);
  EXPECT_NE(reason().find("w1"), std::string::npos) << reason();
  EXPECT_NE(reason().find("not available"), std::string::npos) << reason();
}

TEST_F(SessionTest, AKernelThatLacksAllOfItHasMeasuredNothing) {
  say_hello();
  say(line(lacking(1)) + line(lacking(2)));
  EXPECT_EQ(outcome(), BootOutcome::scenario_failed);
  EXPECT_TRUE(reason().starts_with("workloads w1, w2: ")) << reason();
}

TEST_F(SessionTest, AnotherKernelGetsNoWork) {
  auto other = hello();
  other.build_id = "other";
  say(line(other));
  EXPECT_EQ(outcome(), BootOutcome::wrong_kernel);
  EXPECT_EQ(session_.take_outgoing(), "");
  EXPECT_TRUE(events().empty());
}

struct Bad {
  const char* name;
  std::string bytes;
};

class HostileGuest : public SessionTest, public ::testing::WithParamInterface<Bad> {};

TEST_P(HostileGuest, IsAProtocolFaultAndItsSampleIsDropped) {
  say_hello();
  (void)events();
  say(GetParam().bytes);
  EXPECT_EQ(outcome(), BootOutcome::protocol) << GetParam().name;
  EXPECT_FALSE(reason().empty());
  // What came before the fault may have been told; nothing after it is.
  const auto told = events().size();
  say(first_workload());
  EXPECT_TRUE(events().empty());
  EXPECT_LE(told, 5u);
}

wire::SampleMessage with(wire::SampleMessage it, auto change) {
  change(it);
  return it;
}

INSTANTIATE_TEST_SUITE_P(
    All, HostileGuest,
    ::testing::Values(Bad{"garbage", "garbage\n"}, Bad{"binary", std::string("\x00\x01\xff\n", 4)},
                      Bad{"truncated", line(sample(1, "add", 4, 0, 2)).substr(0, 20) + "\n"},
                      Bad{"overlong", std::string(200'000, '{') + "\n"},
                      Bad{"replayed",
                          line(sample(1, "add", 4, 0, 2)) + line(sample(1, "add", 4, 0, 2))},
                      Bad{"unknown metric", line(sample(1, "other", 4, 0, 2))},
                      Bad{"unknown mark", line(sample(1, "add", 5, 0, 2))},
                      Bad{"surplus chunk", line(sample(1, "add", 4, 2, 2))},
                      Bad{"negative chunk",
                          line(with(sample(1, "add", 4, 0, 2), [](auto& it) { it.chunk = -1; }))},
                      Bad{"surplus repetition", line(with(sample(1, "add", 4, 0, 2),
                                                          [](auto& it) { it.repetition = 1; }))},
                      Bad{"later workload", line(sample(2, "all", 0, 0, 3))},
                      Bad{"no workload", line(sample(0, "add", 4, 0, 2))},
                      Bad{"too many items", line(sample(1, "add", 4, 0, 3))},
                      Bad{"no items", line(sample(1, "add", 4, 0, 0))},
                      Bad{"items that do not add up",
                          line(sample(1, "add", 9, 0, 3)) + line(sample(1, "add", 9, 1, 3))},
                      Bad{"items of the other chunk",
                          line(sample(1, "add", 9, 0, 3)) + line(sample(1, "add", 9, 1, 2))},
                      Bad{"an absurd duration",
                          line(with(sample(1, "add", 4, 0, 2),
                                    [](auto& it) { it.wall_ns = 3600'000 * kMillisecond; }))},
                      Bad{"negative duration",
                          line(with(sample(1, "add", 4, 0, 2), [](auto& it) { it.wall_ns = -1; }))},
                      Bad{"done without samples", line(wire::Done{1, "tsc"})},
                      Bad{"done of another", line(wire::Done{7, "tsc"})},
                      Bad{"failure of another", line(wire::Failed{7, "x", "y", false})},
                      Bad{"heartbeat of another", line(wire::Heartbeat{7, 0})},
                      Bad{"after the end", first_workload() + line(wire::Done{1, "tsc"}) +
                                               line(sample(1, "add", 4, 0, 2))}),
    [](const auto& bad) { return "Case" + std::to_string(bad.index); });

TEST_F(SessionTest, AClockThatChangedSpoilsTheMeasurement) {
  say_hello();
  say(first_workload() + line(wire::Done{1, "jiffies"}));
  EXPECT_EQ(outcome(), BootOutcome::scenario_failed);
  EXPECT_NE(reason().find("jiffies"), std::string::npos);
}

TEST_F(SessionTest, AFailureNamesOperationAndReason) {
  say_hello();
  say(line(wire::Failed{1, "netns_add", "File exists", false}));
  EXPECT_EQ(outcome(), BootOutcome::scenario_failed);
  EXPECT_NE(reason().find("netns_add failed: File exists"), std::string::npos) << reason();
}

TEST_F(SessionTest, AWorkerThatWasKilledHasNoOperation) {
  say_hello();
  say(line(wire::Failed{1, "", "the measuring process: killed by signal 9", false}));
  EXPECT_EQ(outcome(), BootOutcome::scenario_failed);
  EXPECT_EQ(reason(), "workload w1 failed: the measuring process: killed by signal 9");
}

TEST_F(SessionTest, SilenceIsAHangAndAnyByteIsLife) {
  session_.pass_time(29);
  EXPECT_EQ(outcome(), BootOutcome::running);
  session_.console_grew(29);
  session_.pass_time(58);
  EXPECT_EQ(outcome(), BootOutcome::running);
  session_.pass_time(59);
  EXPECT_EQ(outcome(), BootOutcome::hang);
}

TEST_F(SessionTest, NoiseDoesNotBeatTheBootDeadline) {
  for (int now = 1; now < 60; ++now) session_.console_grew(now);
  EXPECT_LE(session_.next_deadline(), 60);
  session_.pass_time(60);
  EXPECT_EQ(outcome(), BootOutcome::hang);
  EXPECT_NE(reason().find("hello"), std::string::npos);
}

TEST_F(SessionTest, HeartbeatsDoNotBeatTheScenarioDeadline) {
  say_hello();
  for (int now = 2; now <= 902; ++now) {
    say(line(wire::Heartbeat{1, now}), now);
    session_.pass_time(now);
  }
  EXPECT_EQ(outcome(), BootOutcome::scenario_failed) << reason();
}

TEST_F(SessionTest, PingsEveryFiveSecondsAfterTheHelloOnly) {
  session_.pass_time(10);
  EXPECT_EQ(session_.take_outgoing(), "");
  say(line(hello()), 11);
  (void)session_.take_outgoing();
  session_.pass_time(15.9);
  EXPECT_EQ(session_.take_outgoing(), "");
  session_.pass_time(16);
  EXPECT_EQ(session_.take_outgoing(), wire::encode(wire::HostMessage(wire::Ping{})));
}

TEST_F(SessionTest, RandomBytesNeverCompleteAndNeverCrash) {
  std::mt19937 random(1);
  const std::string valid = line(hello()) + first_workload() + line(wire::Done{1, "tsc"});
  for (int round = 0; round < 2000; ++round) {
    Session session(scenario(), Proof{"build", "config", "none", "agent", 2}, Deadlines{});
    std::string bytes = valid;
    for (unsigned i = 0; i < 1 + random() % 8; ++i)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    if (random() % 4 == 0) bytes.erase(random() % bytes.size());
    for (std::size_t at = 0; at < bytes.size();) {
      const auto size = 1 + random() % 97;
      session.receive(std::string_view(bytes).substr(at, size), 2);
      at += size;
    }
    ASSERT_FALSE(session.ending() && session.ending()->outcome == BootOutcome::complete);
  }
}

TEST(SessionWithoutWork, IsCompleteAfterTheHandshake) {
  Session session(Scenario{}, Proof{"build", "config", "", "agent", 2}, Deadlines{});
  session.receive(wire::encode(wire::GuestMessage(hello())), 1);
  ASSERT_TRUE(session.ending());
  EXPECT_EQ(session.ending()->outcome, BootOutcome::complete);
  EXPECT_TRUE(session.next_event());
}

}  // namespace
}  // namespace bisect_run::lab
