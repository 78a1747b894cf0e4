#include "report/reference.h"

#include <gtest/gtest.h>

#include "golden.h"

// The published numbers, in the published shapes: expected lines were taken from the threads.

namespace bisect_run::report {
namespace {

const auto kDirectory = std::filesystem::path(BISECT_RUN_SOURCE_DIR) / "results" / "reference";

Reference load(std::string_view name) {
  auto loaded = load_reference(kDirectory, name);
  if (!loaded) throw std::runtime_error(loaded.error().message);
  return std::move(*loaded);
}

void expect_lines(const std::string& text, std::initializer_list<const char*> lines) {
  for (const auto* line : lines)
    EXPECT_NE(("\n" + text).find(std::string("\n") + line + "\n"), std::string::npos) << line;
}

TEST(Reference, Greear) {
  const auto text = reference_text(load("greear-2011"));
  test::expect_plain(text);
  expect_lines(text, {"Created 500 veth in 17.874695 seconds (0.03574939 per interface).",
                      "Added IP addresses in 23.306214 seconds (0.046612428 per addr).",
                      "Deleted 500 veth in 17.023607 seconds. (0.034047214 per interface)",
                      "Deleted 1000 macvlan in 58.552433 seconds. (0.058552433 per interface)",
                      "Created 100 veth in 1.06471 seconds (0.0106471 per interface).",
                      "Added IP addresses in 28.35679 seconds (0.05671358 per addr)."});
}

TEST(Reference, Bligh) {
  const auto text = reference_text(load("bligh-2011"));
  test::expect_plain(text);
  EXPECT_NE(
      text.find("creating 500 veth\n\nreal    0m12.756s\nuser    0m0.732s\nsys     0m11.943s\n"),
      std::string::npos);
  EXPECT_NE(
      text.find("deleting 100 veth\n\nreal    0m2.219s\nuser    0m0.134s\nsys     0m0.794s\n"),
      std::string::npos);
  // 110 ms against 14 ms a pair, the "eight times slower per interface" of the thread.
  expect_lines(text, {"creating             veth          500         110.00 ms/item  x7.857"});
}

TEST(Reference, Dumazet) {
  const auto text = reference_text(load("dumazet-2011"));
  test::expect_plain(text);
  // Every figure behind # is computed here and was printed by perf there.
  expect_lines(text,
               {" Performance counter stats for 'atomic 16':",
                "      48016.104204 task-clock               #   15.566 CPUs utilized",
                "   121,669,943,013 cycles                   #    2.534 GHz",
                "   121,321,455,748 stalled-cycles-frontend  #   99.71% frontend cycles idle",
                "   103,375,494,290 stalled-cycles-backend   #   84.96% backend cycles idle",
                "       611,624,619 instructions             #     0.01 insns per cycle",
                "                                            #   198.36 stalled cycles per insn",
                "           581,513 branch-misses            #    0.32% of all branches",
                "       3.084672937 seconds time elapsed",
                "               144 page-faults              #    0.002 M/sec",
                "        30,870,434 instructions             #     0.15 insns per cycle",
                "                                            #     6.27 stalled cycles per insn",
                "        10,163,364 branches                 #  121.753 M/sec"});
}

TEST(Reference, DumazetWithoutCounters) {
  CounterBlock block{
      "atomic 2", {{"task-clock", 200}, {"cycles", {}}, {"instructions", 1000}}, 0.1, 16.7};
  const auto text = dumazet_style(block);
  test::expect_plain(text);
  EXPECT_EQ(text,
            " Performance counter stats for 'atomic 2':\n\n"
            "        200.000000 task-clock               #    2.000 CPUs utilized\n"
            "   <not supported> cycles\n"
            "             1,000 instructions\n"
            "\n       0.100000000 seconds time elapsed\n"
            "\nCost per pair of atomic operations: 16.7 ns\n");
}

TEST(Reference, Tinoco) {
  const auto reference = load("tinoco-2014");
  const auto& facts = reference.comparison;
  ASSERT_EQ(facts.columns.size(), 7u);
  ASSERT_EQ(facts.series.size(), 5u);
  EXPECT_EQ(facts.series[1].metric.name, "add+exec");
  ASSERT_EQ(facts.series[1].rows.size(), 8u);
  const auto text = reference_text(reference);
  test::expect_plain(text);
  const auto from = text.find("add+exec, items/s");
  EXPECT_EQ(text.substr(from, text.find(" 500", from) - from),
            "add+exec, items/s (higher is better)\n"
            "      3.9-rc2 3.15.0-rc5\n"
            "mark      off      off             none              all\n"
            " 250    62.50     5.00 (-92%)      6.76 (-89%)     15.63 (-75%)\n");
  // A run that was cut off has no rate; the source prints 0.00.
  expect_lines(text, {"1500     8.06        -             3.73 (-54%)      6.76 (-16%)"});
}

/// A column of our own at one mark.
void add_column(ComparisonFacts& ours, const char* kernel, const char* variant, double rate) {
  ours.columns.emplace_back();
  ours.columns.back().spec = {kernel, {std::string(40, 'a')}, {}, variant};
  ours.series[0].rows[0].cells.push_back({{rate}, false, {}});
}

ComparisonFacts ours_with(std::vector<std::int64_t> marks) {
  ComparisonFacts ours;
  ours.series = {{{"add+exec", "items/s", stats::Better::higher}, "", {}}};
  for (const auto mark : marks) ours.series[0].rows.push_back({mark, {}});
  return ours;
}

TEST(Reference, StandsBesideOurOwn) {
  auto ours = ours_with({250});
  add_column(ours, "v6.1", "none", 742.1);
  add_column(ours, "v6.1", "all", 371.05);
  const auto text = against_text(ours, load("tinoco-2014"));
  test::expect_plain(text);
  test::expect_golden("against.txt", text);
  // Every cell of both tables stands there once.
  expect_lines(text, {" 250   742.10 |     6.76 (-89%)     14.71 (-76%)",
                      " 250   371.05 (-50%)  |    15.63 (-75%)     31.25 (-50%)"});
  EXPECT_EQ(text.find("add+2exec"), std::string::npos);
  EXPECT_EQ(text.find("not comparable"), std::string::npos);
  ours.run.mode = "process";
  EXPECT_EQ(against_text(ours, load("tinoco-2014")), text);
  ours.run.mode = "fork";  // another measurement
  const auto other = against_text(ours, load("tinoco-2014"));
  test::expect_plain(other);
  EXPECT_NE(other.find("(mode process), this run is mode\n  fork: not comparable"),
            std::string::npos)
      << other;
}

TEST(Reference, MoreColumnsThanFitGoOnBelow) {
  auto ours = ours_with({100});
  for (const auto* kernel : {"v6.1", "v6.2-a-long-name-of-a-kernel", "v6.3", "v6.4", "v6.5"})
    for (const int cpus : {1, 4}) {
      add_column(ours, kernel, "none", 100.0 + cpus);
      ours.columns.back().machine.cpus = cpus;
    }
  const auto text = against_text(ours, load("tinoco-2014"));
  test::expect_plain(text);
  for (const auto* name : {"v6.1 ", "v6.2-a-long-nam~", "v6.3", "v6.4", "v6.5"})
    EXPECT_NE(text.find(name), std::string::npos) << name;
  // The mark that only we have stands in both tables' rows, and so do theirs.
  EXPECT_NE(text.find("\n 100   101.00   104.00 (+3%)"), std::string::npos) << text;
  EXPECT_NE(text.find("\n 250                "), std::string::npos);
}

TEST(Reference, AMetricThatOneTableLacksIsPrintedAlone) {
  auto ours = ours_with({250});
  add_column(ours, "v6.1", "all", 742.1);
  ours.series[0].metric.name = "setns";
  const auto text = against_text(ours, load("tinoco-2014"));
  EXPECT_NE(text.find("tinoco-2014 has none of these metrics"), std::string::npos);
  EXPECT_TRUE(text.starts_with("setns, items/s (higher is better)\n         v6.1\n")) << text;
}

TEST(Reference, NamesWhatExists) {
  EXPECT_NE(load_reference(kDirectory, "tinoco").error().message.find("tinoco-2014"),
            std::string::npos);
  EXPECT_FALSE(load_reference(kDirectory, "../../kernels"));
  EXPECT_EQ(parse_reference("a,b\n1\n", "x").error().message, "x:2: 1 cells, but the header has 2");
  EXPECT_FALSE(parse_reference("a,b\n1,2\n", "x"));
  EXPECT_FALSE(parse_reference("", "x"));
  EXPECT_EQ(style_from("tinco").error().kind, ErrorKind::usage);
  EXPECT_EQ(style_from("bligh").value(), Style::bligh);
}

}  // namespace
}  // namespace bisect_run::report
