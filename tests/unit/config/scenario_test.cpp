#include "config/scenario.h"

#include <gtest/gtest.h>

#include "support/temp_dir.h"
#include "wire/operations.h"

namespace bisect_run::config {
namespace {

const std::string kSmall =
    "name: s\n"                                     // 1
    "summary: a test\n"                             // 2
    "modes: [fork, process]\n"                      // 3
    "default-metric: add\n"                         // 4
    "marks: [10, 20]\n"                             // 5
    "workloads:\n"                                  // 6
    "  - name: one\n"                               // 7
    "    setup:\n"                                  // 8
    "      - netns_add: {prefix: 7, count: 2}\n"    // 9
    "    loops:\n"                                  // 10
    "      - metric: add\n"                         // 11
    "        marks: default\n"                      // 12
    "        each: [netns_add]\n"                   // 13
    "      - metric: own\n"                         // 14
    "        marks: [5]\n"                          // 15
    "        each: [netns_add: {prefix: b}]\n"      // 16
    "  - name: two\n"                               // 17
    "    loops:\n"                                  // 18
    "      - metric: once\n"                        // 19
    "        count: 3\n"                            // 20
    "        each: [netns_delete: {prefix: b}]\n";  // 21

std::string with(std::string_view from, std::string_view to) {
  std::string text = kSmall;
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string message(const std::string& text, const ScenarioChoice& choice = {}) {
  const auto scenario = parse_scenario(text, "s.yaml", choice);
  if (!scenario) {
    EXPECT_EQ(scenario.error().kind, ErrorKind::usage);
  }
  return scenario ? "accepted" : scenario.error().message;
}

TEST(Scenario, ReadsEveryField) {
  const auto s = parse_scenario(
      with("marks: [10, 20]\n", "marks: [10, 20]\nchunks: 4\nrepetitions: 2\nwait-bound: true\n"),
      "s.yaml", {});
  ASSERT_TRUE(s) << s.error().message;
  EXPECT_EQ(s->mode, "fork");
  EXPECT_EQ(s->chunks, 4);
  EXPECT_EQ(s->repetitions, 2);
  EXPECT_TRUE(s->wait_bound);
  ASSERT_EQ(s->workloads.size(), 2u);
  const auto& one = s->workloads[0];
  ASSERT_EQ(one.setup.size(), 1u);
  EXPECT_EQ(one.setup[0].parameters.at("prefix"), wire::ParameterValue(std::string("7")));
  EXPECT_EQ(one.setup[0].parameters.at("count"), wire::ParameterValue(std::int64_t{2}));
  EXPECT_EQ(one.loops[0].marks, (std::vector<std::int64_t>{10, 20}));
  EXPECT_EQ(one.loops[0].each[0].parameters.at("prefix"), wire::ParameterValue(std::string("ns")));
  EXPECT_EQ(one.loops[1].marks, std::vector<std::int64_t>{5});
  EXPECT_EQ(s->workloads[1].loops[0].count, 3);
}

TEST(Scenario, ChoiceNarrows) {
  ScenarioChoice choice{
      .mode = "process", .marks = {3}, .metrics = {"own"}, .repetitions = 4, .chunks = 2};
  const auto s = parse_scenario(kSmall, "s.yaml", choice);
  ASSERT_TRUE(s) << s.error().message;
  EXPECT_EQ(s->mode, "process");
  ASSERT_EQ(s->workloads.size(), 1u);
  EXPECT_EQ(s->workloads[0].loops[0].marks, std::vector<std::int64_t>{3});
  EXPECT_EQ(s->workloads[0].loops[1].marks, std::vector<std::int64_t>{5});
  EXPECT_EQ(s->repetitions, 4);
  EXPECT_EQ(s->chunks, 2);
}

TEST(Scenario, RefusesAWrongChoice) {
  EXPECT_EQ(message(kSmall, {.mode = "forks"}),
            "scenario s has no mode 'forks'; did you mean 'fork'?");
  EXPECT_EQ(message(kSmall, {.metrics = {"onse"}}),
            "scenario s has no metric 'onse'; did you mean 'once'?");
  EXPECT_EQ(message(kSmall, {.marks = {20, 10}}),
            "--marks: mark 10 does not come after 20; marks ascend");
  EXPECT_EQ(message(with("marks: default", "marks: [4]"), {.marks = {5}}),
            "scenario s has no marks to choose; leave --marks out");
  EXPECT_EQ(message(kSmall, {.chunks = 0}), "chunks: 0 is out of range; from 1 to 10000");
}

struct Wrong {
  std::string from, to, message;
};

TEST(Scenario, SaysWhereAndWhatWouldBeRight) {
  const Wrong cases[] = {
      {"default-metric: add", "default_metric: add",
       "s.yaml:4:1: unknown key 'default_metric'; did you mean 'default-metric'?"},
      {"name: s\n", "name: t\n",
       "s.yaml:1:7: the name 't' is not the file's; write 's' or rename the file"},
      {"default-metric: add", "default-metric: ad",
       "s.yaml:4:17: 'ad' is not known here; did you mean 'add'?"},
      {"[fork, process]", "[fork, proces]",
       "s.yaml:3:15: 'proces' is not known here; did you mean 'process'?"},
      {"[fork, process]", "[fork, fork]", "s.yaml:3:15: fork is listed already"},
      {"marks: [10, 20]", "marks: [20, 10]",
       "s.yaml:5:8: mark 10 does not come after 20; marks ascend"},
      {"marks: [10, 20]", "marks: [10.5]",
       "s.yaml:5:9: '10.5' is no plain number; expected a whole number from 1 to 1000000000"},
      {"marks: [10, 20]\n", "",
       "s.yaml:11:16: the scenario has no `marks` of its own; add them at its top"},
      {"        count: 3\n", "        count: 3\n        marks: [1]\n",
       "s.yaml:19:9: a loop has either `marks` or `count`, and one of them"},
      {"count: 3", "count: 3 items",
       "s.yaml:20:16: '3 items' is no plain number; expected a whole number from 1 to 1000000000"},
      {"metric: own", "metric: add", "s.yaml:14:17: 'add' is taken already; choose another"},
      {"name: two", "name: one", "s.yaml:17:11: 'one' is taken already; choose another"},
      {"each: [netns_add]", "each: []", "s.yaml:13:15: no step; a loop runs one at least"},
      {"- netns_add: {prefix: 7, count: 2}", "- {netns_add: ~, setns: ~}",
       "s.yaml:9:9: one operation an item; write `- operation: {parameter: value}`, parameters in "
       "braces"},
  };
  for (const auto& wrong : cases)
    EXPECT_EQ(message(with(wrong.from, wrong.to)), wrong.message) << wrong.to;
}

// The words of these messages are the table's; their place is ours.
TEST(Scenario, ChecksStepsAgainstTheTable) {
  EXPECT_TRUE(
      message(with("netns_add: {prefix: 7", "netns_ad: {prefix: 7")).starts_with("s.yaml:9:9: "));
  EXPECT_NE(message(with("netns_add: {prefix: 7", "netns_ad: {prefix: 7")).find("'netns_add'"),
            std::string::npos);
  EXPECT_TRUE(message(with("count: 2", "cuont: 2")).starts_with("s.yaml:9:32: "));
  EXPECT_TRUE(message(with("count: 2", "count: many")).starts_with("s.yaml:9:39: "));
  EXPECT_TRUE(message(with("count: 2", "count: '2'")).starts_with("s.yaml:9:39: "));
  EXPECT_TRUE(message(with("count: 2", "count: 0")).starts_with("s.yaml:9:39: "));
  ASSERT_FALSE(wire::find_operation("netns_exec")->supports("direct"));
  EXPECT_TRUE(message(with("[fork, process]", "[direct]")).starts_with("accepted"));
  std::string direct = with("[fork, process]", "[direct]");
  direct.replace(direct.find("each: [netns_add]"), 17, "each: [netns_exec]");
  EXPECT_TRUE(message(direct).starts_with("s.yaml:13:16: 'netns_exec' has no mode direct"))
      << message(direct);
}

TEST(Scenario, DigestIsOfWhatIsMeasured) {
  const auto digest = [](const std::string& text, const ScenarioChoice& choice = {}) {
    const auto s = parse_scenario(text, "s.yaml", choice);
    return s ? s->digest : s.error().message;
  };
  const auto base = digest(kSmall);
  EXPECT_EQ(base.size(), 32u);
  EXPECT_EQ(digest(with("a test", "other words")), base);
  EXPECT_EQ(digest("# a comment\n" + kSmall), base);
  EXPECT_NE(digest(kSmall, {.mode = "process"}), base);
  EXPECT_NE(digest(kSmall, {.marks = {10, 21}}), base);
  EXPECT_NE(digest(kSmall, {.repetitions = 2}), base);
  EXPECT_NE(digest(kSmall, {.metrics = {"once"}}), base);
  EXPECT_NE(digest(with("count: 2", "count: 3")), base);
  EXPECT_NE(digest(with("count: 3", "count: 4")), base);
}

TEST(Scenario, ShippedOnesAreRight) {
  const auto directory = std::filesystem::path(BISECT_RUN_SOURCE_DIR) / "scenarios";
  const auto all = list_scenarios(directory);
  ASSERT_TRUE(all) << all.error().message;
  ASSERT_FALSE(all->empty());
  const auto file = find_scenario(directory, "netns-scaling");
  ASSERT_TRUE(file) << file.error().message;
  const auto netns = load_scenario(*file, {});
  ASSERT_TRUE(netns) << netns.error().message;
  EXPECT_EQ(netns->default_metric, "add+exec");
  EXPECT_TRUE(netns->wait_bound);
  ASSERT_NE(find_loop(*netns, "add+exec"), nullptr);
  EXPECT_EQ(find_loop(*netns, "add+exec")->marks, (std::vector<std::int64_t>{250, 500}));
}

TEST(Scenario, MoreVlansThanIdsAreRefused) {
  const auto file = std::filesystem::path(BISECT_RUN_SOURCE_DIR) / "scenarios/interfaces.yaml";
  const auto chosen = [&](std::int64_t mark, std::vector<std::string> metrics = {}) {
    const auto s = load_scenario(file, {.marks = {mark}, .metrics = std::move(metrics)});
    return s ? "accepted" : s.error().message;
  };
  EXPECT_EQ(chosen(4094), "accepted");
  EXPECT_EQ(
      chosen(4095),
      "scenario interfaces, workload vlan: 4095 vlans on par0 from id 1, but ids end at 4094; "
      "choose fewer by --marks, or a metric of another workload by --metric");
  EXPECT_EQ(chosen(4095, {"veth.delete"}), "accepted");
}

// The agent passes over a line that is too long: the boot would be silent until its deadline.
TEST(Scenario, AWorkloadFitsIntoOneMessage) {
  std::string loops;
  for (int i = 0; i < 200; ++i)
    loops += "      - {metric: m" + std::to_string(i) +
             ", count: 1, each: [netns_add, netns_add, netns_add, netns_add, netns_add]}\n";
  const auto place = std::string("      - metric: once\n");
  EXPECT_NE(message(with(place, loops + place)).find("make two of it"), std::string::npos);
  loops.resize(loops.find('\n', loops.size() / 8) + 1);
  EXPECT_EQ(message(with(place, loops + place)), "accepted");
}

// It would come back from the guest as another name, which no one has asked for.
TEST(Scenario, ANameIsUtf8) {
  EXPECT_EQ(message(with("metric: own", "metric: \xc3\xb6wn")), "accepted");
  EXPECT_EQ(message(with("metric: own", "metric: own\xff")),
            "scenario s: workload one cannot be sent to the guest: a name in it is not UTF-8");
}

// The page is what its reader copies.
TEST(Scenario, TheExampleOfThePageIsRight) {
  const auto page =
      test::read_file(std::filesystem::path(BISECT_RUN_SOURCE_DIR) / "scenarios/README.md");
  const std::string fence = "```yaml\n";
  const auto from = page.find(fence) + fence.size();
  const auto text = page.substr(from, page.find("```", from) - from);
  const auto s = parse_scenario(text, "dummies.yaml", {});
  ASSERT_TRUE(s) << s.error().message;
  EXPECT_EQ(s->workloads[0].loops.size(), 3u);
}

// Written from scenarios/README.md alone, by someone who had seen nothing else.
TEST(Scenario, ANewcomersRuns) {
  const auto s = load_scenario(
      std::filesystem::path(BISECT_RUN_SOURCE_DIR) / "tests/data/scenarios/hundred-dummies.yaml",
      {});
  ASSERT_TRUE(s) << s.error().message;
  EXPECT_EQ(find_loop(*s, "make")->marks, std::vector<std::int64_t>{100});
  EXPECT_EQ(find_loop(*s, "remove")->count, 1);
}

TEST(Scenario, NamesTheOnesThatExist) {
  const test::TempDir directory;
  test::write_file(directory / "s.yaml", kSmall);
  EXPECT_EQ(find_scenario(directory.path(), "t").error().message,
            "no scenario 't'; did you mean 's'?");
  EXPECT_EQ(find_scenario(directory.path(), "anything").error().message,
            "no scenario 'anything'; one of: s");
  EXPECT_EQ(load_scenario(directory / "none.yaml", {}).error().message,
            (directory / "none.yaml").string() + ": no such file");
  EXPECT_EQ(load_scenario(directory.path(), {}).error().kind, ErrorKind::usage);
  EXPECT_FALSE(find_scenario(directory / "nowhere", "s"));
}

TEST(Scenario, AFileOfTheUsersOwnIsNamedByItsPath) {
  const test::TempDir directory, elsewhere;
  test::write_file(directory / "s.yaml", kSmall);
  for (const auto* name : {"./s.yaml", "s.yaml", "sub/s", "/s"})
    EXPECT_EQ(find_scenario(elsewhere.path(), name), std::filesystem::path(name));
  const auto file = find_scenario(elsewhere.path(), (directory / "s.yaml").string());
  EXPECT_EQ(load_scenario(*file, {})->name, "s");
}

}  // namespace
}  // namespace bisect_run::config
