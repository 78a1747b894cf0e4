#include "wire/messages.h"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "wire/limits.h"

namespace bisect_run::wire {
namespace {

using Random = std::mt19937_64;

std::int64_t number(Random& random, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

std::string text(Random& random, std::size_t longest) {
  std::string out;
  const auto size = static_cast<std::size_t>(number(random, 0, static_cast<std::int64_t>(longest)));
  while (out.size() < size) out += static_cast<char>(number(random, 1, 126));
  return out;
}

ParameterValue parameter(Random& random) {
  switch (number(random, 0, 2)) {
    case 0:
      return number(random, INT64_MIN, INT64_MAX);
    case 1:
      return number(random, 0, 1) == 1;
    default:
      return text(random, 20);
  }
}

std::vector<Step> steps(Random& random) {
  std::vector<Step> list(static_cast<std::size_t>(number(random, 0, 3)));
  for (Step& step : list) {
    step.op = text(random, 20);
    for (auto n = number(random, 0, 3); n > 0; --n)
      step.parameters[text(random, 10)] = parameter(random);
  }
  return list;
}

RunWorkload run(Random& random) {
  RunWorkload m{.id = number(random, 0, kMaxId),
                .mode = text(random, 10),
                .chunks = static_cast<int>(number(random, 1, 100)),
                .repetitions = static_cast<int>(number(random, 1, 100)),
                .workload = {text(random, 20), steps(random), {}, steps(random)}};
  for (auto n = number(random, 0, 3); n > 0; --n) {
    Loop loop{.metric = text(random, 20),
              .marks = {},
              .count = number(random, 1, 99),
              .each = steps(random)};
    std::int64_t mark = 0;
    for (auto k = number(random, 0, 4); k > 0; --k)
      loop.marks.push_back(mark += number(random, 1, 999));
    m.workload.loops.push_back(loop);
  }
  return m;
}

std::optional<std::int64_t> maybe(Random& random) {
  if (number(random, 0, 1)) return std::nullopt;
  return number(random, 0, 1'000'000'000);
}

SampleMessage sample(Random& random) {
  SampleMessage m;
  m.id = number(random, 0, kMaxId);
  m.metric = text(random, 60);
  m.mark = number(random, 0, kMaxItems);
  m.chunk = static_cast<std::int32_t>(number(random, 0, 9));
  m.items = number(random, 0, kMaxItems);
  m.wall_ns = number(random, 0, kMaxDuration_ns);
  m.user_ns = maybe(random);
  m.system_ns = maybe(random);
  m.voluntary_switches = maybe(random);
  m.tsc_cycles = maybe(random);
  if (number(random, 0, 1))
    m.value = std::ldexp(static_cast<double>(number(random, -1000, 1000)), 7);
  else
    m.not_supported = number(random, 0, 1) == 1;
  return m;
}

Hello hello(Random& random) {
  Hello m;
  m.release = text(random, 60);
  m.cmdline = text(random, 4000);
  m.cpus = static_cast<int>(number(random, 1, 8));
  m.clocksource = "tsc";
  m.clock_resolution_ns = number(random, 0, 4'000'000);
  m.offloaded = text(random, 20);
  return m;
}

bool same(const RunWorkload& a, const RunWorkload& b) {
  return a.id == b.id && a.mode == b.mode && a.chunks == b.chunks &&
         a.repetitions == b.repetitions && a.workload == b.workload;
}

bool same(const SampleMessage& a, const SampleMessage& b) {
  return a.id == b.id && a.metric == b.metric && a.mark == b.mark && a.chunk == b.chunk &&
         a.repetition == b.repetition && a.items == b.items && a.wall_ns == b.wall_ns &&
         a.user_ns == b.user_ns && a.system_ns == b.system_ns && a.unit == b.unit &&
         a.voluntary_switches == b.voluntary_switches && a.tsc_cycles == b.tsc_cycles &&
         a.value == b.value && a.not_supported == b.not_supported;
}

TEST(MessagesTest, RunWorkloadSurvivesTheLine) {
  Random random(1);
  for (int i = 0; i < 500; ++i) {
    const RunWorkload sent = run(random);
    const std::string line = encode(HostMessage(sent));
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    const auto got = decode_host(line);
    ASSERT_TRUE(got) << got.error() << line;
    ASSERT_TRUE(std::holds_alternative<RunWorkload>(*got));
    EXPECT_TRUE(same(sent, std::get<RunWorkload>(*got))) << line;
  }
}

TEST(MessagesTest, SamplesSurviveTheLine) {
  Random random(2);
  for (int i = 0; i < 500; ++i) {
    const SampleMessage sent = sample(random);
    const auto got = decode_guest(encode(GuestMessage(sent)));
    ASSERT_TRUE(got) << got.error();
    EXPECT_TRUE(same(sent, std::get<SampleMessage>(*got)));
  }
}

TEST(MessagesTest, HelloSurvivesTheLine) {
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const Hello sent = hello(random);
    const auto got = decode_guest(encode(GuestMessage(sent)));
    ASSERT_TRUE(got) << got.error();
    const auto& back = std::get<Hello>(*got);
    EXPECT_EQ(back.release, sent.release);
    EXPECT_EQ(back.cmdline, sent.cmdline);
    EXPECT_EQ(back.cpus, sent.cpus);
    EXPECT_EQ(back.clock_resolution_ns, sent.clock_resolution_ns);
    EXPECT_EQ(back.offloaded, sent.offloaded);
  }
}

TEST(MessagesTest, BareMessagesSurviveTheLine) {
  EXPECT_TRUE(std::holds_alternative<Ping>(decode_host(encode(HostMessage(Ping{}))).value()));
  EXPECT_TRUE(
      std::holds_alternative<PowerOff>(decode_host(encode(HostMessage(PowerOff{}))).value()));
  const auto failed = std::get<Failed>(
      decode_guest(encode(GuestMessage(Failed{7, "netns_add", "no", true}))).value());
  EXPECT_EQ(failed.id, 7);
  EXPECT_EQ(failed.op, "netns_add");
  EXPECT_TRUE(failed.unavailable);
  EXPECT_EQ(std::get<Heartbeat>(decode_guest(encode(GuestMessage(Heartbeat{3, 9}))).value()).items,
            9);
  EXPECT_EQ(std::get<Done>(decode_guest(encode(GuestMessage(Done{3, "hpet"}))).value()).clocksource,
            "hpet");
}

TEST(MessagesTest, MissingAndNullDiffer) {
  SampleMessage without;
  without.metric = "m";
  EXPECT_EQ(encode(GuestMessage(without)).find("user_ns"), std::string::npos);
  EXPECT_EQ(std::get<SampleMessage>(decode_guest(encode(GuestMessage(without))).value()).user_ns,
            std::nullopt);
}

TEST(MessagesTest, BytesThatAreNoTextDoNotBreakALine) {
  Hello hello{.agent_digest = {},
              .release = "6.1",
              .build_id = {},
              .config_digest = {},
              .cmdline = "a\xff\xfe\n b",
              .cpus = 1,
              .clocksource = "tsc",
              .clock_resolution_ns = 1,
              .offloaded = {},
              .rcu_threads = std::string(9000, '\xc3')};
  const std::string line = encode(GuestMessage(hello));
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  const auto got = decode_guest(line);
  ASSERT_TRUE(got) << got.error();
  EXPECT_LE(std::get<Hello>(*got).rcu_threads.size(), kMaxText);
}

TEST(MessagesTest, LongReasonIsCutSoThatItArrives) {
  const auto got =
      decode_guest(encode(GuestMessage(Failed{1, "op", std::string(5000, 'x'), false})));
  ASSERT_TRUE(got) << got.error();
  EXPECT_EQ(std::get<Failed>(*got).reason.size(), kMaxReason);
}

struct Refusal {
  std::string line, says;
};

class RefusalTest : public testing::TestWithParam<Refusal> {};

TEST_P(RefusalTest, SaysWhatIsWrong) {
  const auto got = decode_guest(GetParam().line);
  ASSERT_FALSE(got) << GetParam().line;
  EXPECT_NE(got.error().find(GetParam().says), std::string::npos) << got.error();
}

const std::string kDeep(40, '[');
INSTANTIATE_TEST_SUITE_P(
    Guest, RefusalTest,
    testing::Values(
        Refusal{"", "not JSON"}, Refusal{"hello", "not JSON"}, Refusal{"[]", "not a JSON object"},
        Refusal{"{}", "type is missing"}, Refusal{R"({"type":5})", "type is not a text"},
        Refusal{R"({"type":"ping"})", "unknown message type 'ping'"},
        Refusal{R"({"type":"done","id":1})", "clocksource is missing"},
        Refusal{R"({"type":"done","id":"1","clocksource":"tsc"})", "id is not an integer"},
        Refusal{R"({"type":"done","id":1.5,"clocksource":"tsc"})", "id is not an integer"},
        Refusal{R"({"type":"done","id":-1,"clocksource":"tsc"})", "id is not in 0 to"},
        Refusal{R"({"type":"done","id":18446744073709551615,"clocksource":"tsc"})", "id is not in"},
        Refusal{R"({"type":"done","id":99999999999999999999999,"clocksource":"tsc"})",
                "id is not an integer"},
        Refusal{R"({"type":"done","id":1,"clocksource":"tsc","more":1})", "unknown field more"},
        Refusal{R"({"type":"done","id":NaN,"clocksource":"tsc"})", "not JSON"},
        Refusal{R"({"type":"done","id":1e999,"clocksource":"tsc"})", "not JSON"},
        Refusal{R"({"type":"done","id":1,"clocksource":")" + std::string(200, 'x') + "\"}",
                "longer than 128"},
        Refusal{R"({"type":"done","id":1,"clocksource":)" + kDeep, "nested"},
        Refusal{std::string(kMaxLine, ' '), "too long"},
        Refusal{"{\"type\":\"done\",\"id\":1,\"clocksource\":\"\xff\"}", "not JSON"},
        Refusal{R"({"type":"heartbeat","id":1,"items":true})", "items is not an integer"},
        Refusal{R"({"type":"failed","id":1,"op":"x","reason":"y","unavailable":1})",
                "not true or false"}));

TEST(MessagesTest, CounterWithValueIsNotUnsupported) {
  SampleMessage odd;
  odd.metric = "cycles";
  odd.value = 1.0;
  odd.not_supported = true;
  EXPECT_FALSE(decode_guest(encode(GuestMessage(odd))));
}

TEST(MessagesTest, NotFiniteIsRefused) {
  SampleMessage odd;
  odd.metric = "m";
  odd.value = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(decode_guest(encode(GuestMessage(odd))));  // JSON has no word for it: null arrives
}

TEST(MessagesTest, MarksMustAscend) {
  RunWorkload run{.id = 1, .mode = "fork", .workload = {"w", {}, {{"m", {5, 5}, 0, {}}}, {}}};
  EXPECT_FALSE(decode_host(encode(HostMessage(run))));
  run.workload.loops[0].marks = {0, 5};
  EXPECT_FALSE(decode_host(encode(HostMessage(run))));
  run.workload.loops[0].marks = {};
  EXPECT_FALSE(decode_host(encode(HostMessage(run))));
  run.workload.loops[0].marks = {5, 6};
  EXPECT_TRUE(decode_host(encode(HostMessage(run))));
}

/// Changes, removes, doubles or inserts bytes of a valid line.
std::string mutated(Random& random, std::string line) {
  for (auto n = number(random, 1, 6); n > 0 && !line.empty(); --n) {
    const auto at =
        static_cast<std::size_t>(number(random, 0, static_cast<std::int64_t>(line.size()) - 1));
    switch (number(random, 0, 3)) {
      case 0:
        line[at] = static_cast<char>(number(random, 0, 255));
        break;
      case 1:
        line.erase(at, static_cast<std::size_t>(number(random, 1, 9)));
        break;
      case 2:
        line.insert(at, line.substr(at, static_cast<std::size_t>(number(random, 1, 30))));
        break;
      default:
        line.insert(at, 1, "{}[],:\"0-.e"[number(random, 0, 10)]);
    }
  }
  return line;
}

// What is accepted after a mutation must be within the limits, which its second trip over the line
// proves; whatever else happens is a refusal with a reason.
TEST(MessagesTest, MutatedLinesAreRefusedOrStillWithinLimits) {
  Random random(4);
  int accepted = 0, refused = 0;
  for (int i = 0; i < 20000; ++i) {
    const bool host = number(random, 0, 1);
    const std::string line = mutated(
        random, host ? encode(HostMessage(run(random))) : encode(GuestMessage(sample(random))));
    if (host) {
      const auto got = decode_host(line);
      got ? ++accepted : ++refused;
      if (got)
        EXPECT_TRUE(decode_host(encode(*got))) << line;
      else
        EXPECT_FALSE(got.error().empty());
    } else {
      const auto got = decode_guest(line);
      got ? ++accepted : ++refused;
      if (got)
        EXPECT_TRUE(decode_guest(encode(*got))) << line;
      else
        EXPECT_FALSE(got.error().empty());
    }
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 10000);
}

}  // namespace
}  // namespace bisect_run::wire
