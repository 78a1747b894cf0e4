#include "report/facts.h"

#include <gtest/gtest.h>

#include "report/totals.h"

namespace bisect_run::report {
namespace {

Sample rate(std::string metric, std::int64_t mark, std::int32_t chunk, std::int64_t items,
            std::int64_t wall_ms) {
  Sample sample;
  sample.metric = std::move(metric);
  sample.mark = mark;
  sample.chunk = chunk;
  sample.items = items;
  sample.wall_ns = wall_ms * 1'000'000;
  sample.user_ns = 2'000'000;
  return sample;
}

KernelSpec kernel(char letter, std::string variant = "none") {
  return {std::string(1, letter), {std::string(40, letter)}, {}, std::move(variant)};
}

BootRecord boot(const KernelSpec& spec, std::vector<Sample> samples,
                BootOutcome outcome = BootOutcome::complete) {
  BootRecord record;
  record.spec = spec;
  record.boot.machine = {2, 512, "tcg", "real"};
  record.boot.outcome = outcome;
  record.boot.wall_seconds = 4;
  record.signature = "sig-" + spec.commit.hex.substr(0, 1);
  record.samples = std::move(samples);
  return record;
}

Column column(const KernelSpec& spec) {
  return {spec, {2, 512, "auto", "real"}, 0, {}};
}

TEST(Facts, ABootIsOneNumberAMark) {
  History history;
  // 10 items in 100, 50 and 200 ms: 100, 200 and 50 a second; the median is 100.
  history.boots = {boot(kernel('a'), {rate("add", 50, 0, 10, 100), rate("add", 50, 1, 10, 50),
                                      rate("add", 50, 2, 10, 200), rate("add", 100, 0, 10, 10)}),
                   boot(kernel('a'), {rate("add", 50, 0, 10, 20)}),
                   boot(kernel('a'), {rate("add", 50, 0, 10, 1)}, BootOutcome::panic)};
  const auto facts = comparison_from({}, {column(kernel('a')), column(kernel('b'))}, history, {});
  EXPECT_EQ(facts.columns[0].boots, 2);
  EXPECT_EQ(facts.columns[0].machine.accelerator, "tcg");
  EXPECT_EQ(facts.columns[1].reason, "not measured yet");
  ASSERT_EQ(facts.series.size(), 1u);
  ASSERT_EQ(facts.series[0].rows.size(), 2u);
  EXPECT_EQ(facts.series[0].rows[0].mark, 50);
  EXPECT_EQ(facts.series[0].rows[0].cells[0].boots, (std::vector<double>{100, 500}));
  EXPECT_EQ(facts.series[0].rows[1].cells[0].boots, std::vector<double>{1000});
  EXPECT_TRUE(facts.series[0].rows[0].cells[1].boots.empty());
  EXPECT_EQ(facts.cost.boots, 3);
  EXPECT_DOUBLE_EQ(facts.cost.boot_seconds, 12);
}

TEST(Facts, CountersWithoutAValueAreNotSupported) {
  History history;
  Sample absent, present;
  absent.metric = "cycles";
  present.metric = "page-faults";
  absent.unit = present.unit = "count";
  absent.items = 1;  // an operation's own metrics belong to its last item
  present.value = 0;
  history.boots = {boot(kernel('a'), {absent, present})};
  const auto facts = comparison_from({}, {column(kernel('a'))}, history, {});
  ASSERT_EQ(facts.series.size(), 2u);
  EXPECT_TRUE(facts.series[0].rows[0].cells[0].not_supported);
  EXPECT_TRUE(facts.series[0].rows[0].cells[0].boots.empty());
  EXPECT_EQ(facts.series[1].rows[0].cells[0].boots, std::vector<double>{0});
  EXPECT_EQ(facts.series[1].metric.better, stats::Better::lower);
}

TEST(Facts, AChosenLoopComesWithItsOwnMetrics) {
  History history;
  std::vector<Sample> samples(4);
  const char* names[] = {"atomic.1", "atomic.1.pair", "atomic.16", "atomic.16.pair"};
  for (std::size_t i = 0; i < 4; ++i) {
    samples[i].metric = names[i];
    samples[i].value = 1;
  }
  history.boots = {boot(kernel('a'), samples)};
  const auto facts = comparison_from({}, {column(kernel('a'))}, history, {"atomic.1"});
  ASSERT_EQ(facts.series.size(), 2u);
  EXPECT_EQ(facts.series[1].metric.name, "atomic.1.pair");
}

TEST(Facts, ColumnsAndMetricsAreKeptApart) {
  History history;
  history.boots = {
      boot(kernel('a', "all"), {rate("add", 50, 0, 10, 100), rate("setns", 50, 0, 10, 10)}),
      boot(kernel('a', "none"), {rate("add", 50, 0, 10, 50)})};
  history.boots[0].boot.machine.cpus = 4;
  auto four = column(kernel('a', "all"));
  four.machine.cpus = 4;
  const auto facts = comparison_from(
      {}, {column(kernel('a', "none")), column(kernel('a', "all")), four}, history, {"add"});
  ASSERT_EQ(facts.series.size(), 1u);
  EXPECT_EQ(facts.columns[1].boots, 0);  // two vCPUs were never measured with `all`
  EXPECT_EQ(facts.series[0].rows[0].cells[0].boots, std::vector<double>{200});
  EXPECT_EQ(facts.series[0].rows[0].cells[2].boots, std::vector<double>{100});
}

TEST(Facts, EqualKernelsShareBoots) {
  History history;
  Image image;
  image.signature = "sig-a";
  history.builds = {{kernel('a'), image, {}}, {kernel('b'), image, {}}};
  history.boots = {boot(kernel('a'), {rate("add", 50, 0, 10, 100)})};
  auto facts = comparison_from({}, {column(kernel('a')), column(kernel('b'))}, history, {});
  EXPECT_EQ(facts.columns[1].boots, 1);
  history.builds[1].image->boot_args = {"rcu_nocbs=0"};
  facts = comparison_from({}, {column(kernel('a')), column(kernel('b'))}, history, {});
  EXPECT_EQ(facts.columns[1].boots, 0);
}

TEST(Facts, WhatFailedSaysWhy) {
  History history;
  history.builds = {{kernel('a'), {}, Error{ErrorKind::skip_build, "no such header", ""}}};
  history.boots = {boot(kernel('b'), {}, BootOutcome::panic)};
  history.boots[0].boot.reason = "the guest panicked";
  const auto facts = comparison_from({}, {column(kernel('a')), column(kernel('b'))}, history, {});
  EXPECT_EQ(facts.columns[0].reason, "no such header");
  EXPECT_EQ(facts.columns[1].reason, "the guest panicked");
  EXPECT_EQ(facts.cost.builds, 1);
}

TEST(Totals, AddUpABootAndTakeTheMedianOfBoots) {
  auto first = rate("veth.create", 100, 0, 60, 600), second = rate("veth.create", 100, 1, 40, 300);
  const auto one = totals_of({first, second, rate("veth.delete", 0, 0, 100, 2000)});
  ASSERT_EQ(one.size(), 2u);
  EXPECT_EQ(one[0].kind, "veth");
  EXPECT_EQ(one[0].phase, "create");
  EXPECT_EQ(one[0].items, 100);
  EXPECT_DOUBLE_EQ(one[0].seconds, 0.9);
  EXPECT_DOUBLE_EQ(*one[0].user_s, 0.004);
  EXPECT_EQ(one[0].system_s, std::nullopt);
  auto slower = one, slowest = one;
  slower[0].seconds = 1.5;
  slowest[0].seconds = 9;
  slower[0].user_s.reset();
  const auto median = median_totals({slowest, one, slower});
  ASSERT_EQ(median.size(), 2u);
  EXPECT_DOUBLE_EQ(median[0].seconds, 1.5);
  EXPECT_EQ(median[0].user_s, std::nullopt);
  slower.pop_back();
  EXPECT_TRUE(median_totals({one, slower}).empty());
  EXPECT_TRUE(median_totals({}).empty());
}

}  // namespace
}  // namespace bisect_run::report
