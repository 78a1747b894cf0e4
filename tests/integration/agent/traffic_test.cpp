#include <map>

#include "workload_fixture.h"

namespace bisect_run::agent {
namespace {

std::string word(const char* text) {
  return text;
}

std::map<std::string, wire::SampleMessage> by_metric(const LookingTaker& taker) {
  std::map<std::string, wire::SampleMessage> all;
  for (const auto& sample : taker.samples) all[sample.metric] = sample;
  return all;
}

class TrafficTest : public WorkloadTest {};

TEST_F(TrafficTest, PacketsAreCountedByTheKernel) {
  isolated([] {
    std::uint64_t sent = 0;
    LookingTaker taker([&] {
      const std::string text = test::output_of("cat /sys/class/net/v0/statistics/tx_packets");
      sent = std::stoull(text);
    });
    const std::vector<wire::Step> setup{
        {"link_add",
         {{"kind", word("veth")}, {"prefix", word("v")}, {"peer", word("w")}, {"up", true}}},
        {"link_up", {{"prefix", word("w")}}}};
    const wire::Step transmit{
        "transmit",
        {{"device", word("v0")}, {"threads", std::int64_t{2}}, {"packets", std::int64_t{1000}}}};
    const Outcome done = run_here(request("direct", {transmit}, 1, setup), taker);
    ASSERT_TRUE(done) << done.error().reason;
    const auto samples = by_metric(taker);
    ASSERT_EQ(samples.size(), 4U);
    EXPECT_GE(sent + static_cast<std::uint64_t>(*samples.at("m.lost").value), 2000U);
    EXPECT_GT(*samples.at("m.packets").value, 0);
    EXPECT_GT(*samples.at("m.service_demand").value, 0);
    EXPECT_EQ(samples.at("m.packets").unit, "packets/s");
    EXPECT_GT(samples.at("m").wall_ns, 0);
    EXPECT_EQ(samples.at("m.packets").wall_ns, 0) << "time belongs to one sample only";
  });
}

class AggregateTest : public WorkloadTest {
 protected:
  void SetUp() override {
    WorkloadTest::SetUp();
    need_kind("dummy");
    need_kind(GetParam().substr(0, 4));
  }
};
INSTANTIATE_TEST_SUITE_P(Kinds, AggregateTest,
                         testing::Values("bond/round-robin", "bond/active-backup",
                                         "team/round-robin", "team/active-backup"),
                         name_of_parameter);

TEST_P(AggregateTest, SendsThroughItsPorts) {
  isolated([] {
    const std::string kind = GetParam().substr(0, 4), policy = GetParam().substr(5);
    std::vector<std::uint64_t> sent;
    LookingTaker taker([&] {
      for (const char* port : {"port0", "port1"}) {
        const auto link =
            nlohmann::json::parse(test::output_of(std::string("ip -j -d link show ") + port))[0];
        EXPECT_EQ(link.at("master"), "agg0");
        sent.push_back(std::stoull(
            test::output_of(std::string("cat /sys/class/net/") + port + "/statistics/tx_packets")));
      }
    });
    const wire::Step add{"aggregate_add", {{"kind", kind}, {"policy", policy}}};
    const wire::Step transmit{"transmit", {{"packets", std::int64_t{1000}}}};
    const Outcome done = run_here(request("direct", {transmit}, 1, {add}), taker);
    ASSERT_TRUE(done) << done.error().reason;
    ASSERT_EQ(sent.size(), 2U);
    EXPECT_GE(sent[0] + sent[1], 1000U);
    if (policy == "round-robin") {
      EXPECT_NEAR(static_cast<double>(sent[0]), static_cast<double>(sent[1]), 20);
    } else {
      EXPECT_LT(std::min(sent[0], sent[1]), 20U);
    }
  });
}

TEST_F(TrafficTest, AtomicIncrementsWithTheirCounters) {
  isolated([] {
    LookingTaker taker;
    const wire::Step step{"atomic_increment",
                          {{"threads", std::int64_t{2}}, {"increments", std::int64_t{2'000'000}}}};
    const Outcome done = run_here(request("direct", {step}, 1), taker);
    ASSERT_TRUE(done) << done.error().reason;
    const auto samples = by_metric(taker);
    EXPECT_EQ(samples.size(), 12U);
    // 2 x elapsed / increments, in ns; the loop's own time is a little longer than the elapsed one.
    const double pair = *samples.at("m.pair").value;
    EXPECT_GT(pair, 0.5);
    EXPECT_LE(pair * 1'000'000, static_cast<double>(samples.at("m").wall_ns));
    const auto& clock = samples.at("m.task-clock");
    if (clock.value) {
      EXPECT_GT(*clock.value, 0);
    }
    for (const auto& [name, sample] : samples)
      EXPECT_EQ(sample.not_supported, name != "m" && !sample.value) << name;
  });
}

}  // namespace
}  // namespace bisect_run::agent
