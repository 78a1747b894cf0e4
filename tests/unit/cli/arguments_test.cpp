#include "cli/arguments.h"

#include <initializer_list>

#include <gtest/gtest.h>

namespace bisect_run::cli {
namespace {

Result<Parsed> run(std::initializer_list<const char*> words) {
  std::vector<const char*> argv{"bisect-run"};
  argv.insert(argv.end(), words);
  return parse(static_cast<int>(argv.size()), argv.data());
}

void expect_usage(const Result<Parsed>& parsed, const char* part) {
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().kind, ErrorKind::usage);
  EXPECT_NE(parsed.error().message.find(part), std::string::npos) << parsed.error().message;
}

TEST(Arguments, TheMainJobTakesGoodThenBad) {
  const auto parsed = run({"v3.9", "v3.15", "--marks", "50,100", "--cpus", "4", "--find-fix"});
  ASSERT_TRUE(parsed) << parsed.error().message;
  const auto& a = *parsed->arguments;
  EXPECT_EQ(a.command, CommandKind::bisect);
  EXPECT_EQ(a.kernels, (std::vector<std::string>{"v3.9", "v3.15"}));
  EXPECT_EQ(a.marks, (std::vector<std::int64_t>{50, 100}));
  EXPECT_EQ(a.cpus, std::vector<int>{4});
  EXPECT_TRUE(a.find_fix);
}

TEST(Arguments, CommandsHaveTheirOwn) {
  const auto compare = run({"compare", "v1", "v2@all", "--variant", "none,all", "--cpus", "1,4"});
  ASSERT_TRUE(compare) << compare.error().message;
  EXPECT_EQ(compare->arguments->command, CommandKind::compare);
  EXPECT_EQ(compare->arguments->kernels.size(), 2u);
  EXPECT_EQ(compare->arguments->variants.size(), 2u);
  const auto scenario = run({"scenario", "netns-scaling", "HEAD"});
  ASSERT_TRUE(scenario) << scenario.error().message;
  EXPECT_EQ(scenario->arguments->scenario, "netns-scaling");
  EXPECT_EQ(scenario->arguments->kernels, std::vector<std::string>{"HEAD"});
  const auto report = run({"report", "--format", "json"});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->arguments->format, "json");
}

TEST(Arguments, TheBuildAndTheMachineCanBeChosen) {
  const auto parsed =
      run({"compare",   "v1",         "--patch", "a.patch",    "--patch", "b.patch",    "--config",
           "my.config", "--make-arg", "LLVM=1",  "--make-arg", "W=1",     "--compiler", "gcc-9",
           "--memory",  "1GiB",       "--accel", "tcg",        "--clock", "virtual"});
  ASSERT_TRUE(parsed) << parsed.error().message;
  const auto& a = *parsed->arguments;
  EXPECT_EQ(a.kernels, std::vector<std::string>{"v1"});
  EXPECT_EQ(a.patches, (std::vector<std::string>{"a.patch", "b.patch"}));
  EXPECT_EQ(a.config_file, "my.config");
  EXPECT_EQ(a.make_args, (std::vector<std::string>{"LLVM=1", "W=1"}));
  EXPECT_EQ(a.cc, "gcc-9");
  EXPECT_EQ(a.memory, "1GiB");
  EXPECT_EQ(a.accel, "tcg");
  EXPECT_EQ(a.clock, "virtual");
}

TEST(Arguments, AnOptionTakesNoSpecBehindIt) {
  for (const std::vector<const char*>& option : {std::vector<const char*>{"--patch", "a.patch"},
                                                 {"--make-arg", "LLVM=1"},
                                                 {"--cpus", "1,2"},
                                                 {"--variant", "none,all"},
                                                 {"--marks", "5,10"}}) {
    const auto parsed = run({"compare", "v1", option[0], option[1], "v2"});
    ASSERT_TRUE(parsed) << option[0] << ": " << parsed.error().message;
    EXPECT_EQ(parsed->arguments->kernels, (std::vector<std::string>{"v1", "v2"})) << option[0];
  }
}

TEST(Arguments, WrongOnesAreUsage) {
  expect_usage(run({}), "GOOD BAD");
  expect_usage(run({"v3.9"}), "");
  expect_usage(run({"v1", "v2", "--marks", "100,50"}), "must rise");
  expect_usage(run({"v1", "v2", "--marks", "0"}), "");
  expect_usage(run({"v1", "v2", "--cpus", "1,2"}), "compare");
  expect_usage(run({"v1", "v2", "--accel", "xen"}), "xen");
  expect_usage(run({"v1", "v2", "--clock", "lunar"}), "lunar");
  expect_usage(run({"v1", "v2", "--nonsense"}), "nonsense");
  expect_usage(run({"report", "--format", "pdf"}), "pdf");
  expect_usage(run({"scenario", "netns-scaling"}), "SPEC");
}

TEST(Arguments, AnUnknownOptionIsNamedAndNotItsValue) {
  expect_usage(run({"v1", "v2", "--budgt", "3h"}),
               "unknown option --budgt; did you mean --budget?");
  expect_usage(run({"v1", "--bugdet=3h", "v2"}), "unknown option --bugdet");
  expect_usage(run({"compare", "--qiet"}), "unknown option --qiet; did you mean --quiet");
  expect_usage(run({"show", "-x"}), "unknown option -x; see bisect-run show --help");
  // Options of another command are as unknown.
  expect_usage(run({"runs", "--follow"}), "unknown option --follow");
  expect_usage(run({"demo", "one"}), "one");
}

TEST(Arguments, EveryCommandThatMeasuresTellsItsEnd) {
  for (const std::vector<const char*>& words : {std::vector<const char*>{"v1", "v2"},
                                                {"demo"},
                                                {"compare", "v1"},
                                                {"scenario", "interfaces", "v1"},
                                                {"calibrate", "v1", "v2", "--out", "x"}}) {
    std::vector<const char*> argv{"bisect-run"};
    argv.insert(argv.end(), words.begin(), words.end());
    for (const auto* word : {"--on-end", "true"}) argv.push_back(word);
    const auto parsed = parse(static_cast<int>(argv.size()), argv.data());
    ASSERT_TRUE(parsed) << words[0] << ": " << parsed.error().message;
    EXPECT_EQ(parsed->arguments->on_end, "true") << words[0];
  }
}

TEST(Arguments, NarrowASearch) {
  const auto parsed =
      run({"v1", "v2", "--budget", "1h30m", "--confidence", "95%", "--min-effect", "0.01", "--good",
           "a", "--good", "b", "--first-parent", "--paths", "kernel", "net/core/dev.c"});
  ASSERT_TRUE(parsed) << parsed.error().message;
  const auto& a = *parsed->arguments;
  EXPECT_EQ(a.kernels, (std::vector<std::string>{"v1", "v2"}));
  EXPECT_EQ(a.budget_s, 5400);
  EXPECT_EQ(a.confidence, 0.95);
  EXPECT_EQ(a.min_effect, 0.01);
  EXPECT_EQ(a.more_good, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(a.paths, (std::vector<std::string>{"kernel", "net/core/dev.c"}));
  EXPECT_TRUE(a.first_parent);
  EXPECT_EQ(run({"plan", "v1", "v2", "--budget", "6h"})->arguments->budget_s, 21600);
  EXPECT_EQ(run({"resume", "--budget", "6h"})->arguments->budget_s, 21600);
}

TEST(Arguments, NarrowASearchWrongly) {
  expect_usage(run({"v1", "v2", "--budget", "6"}), "6h");
  expect_usage(run({"v1", "v2", "--confidence", "40%"}), "50%");
  expect_usage(run({"v1", "v2", "--confidence", "99.999%"}), "99.99%");
  expect_usage(run({"v1", "v2", "--min-effect", "0"}), "min-effect");
  expect_usage(run({"--paths", "kernel", "v1", "v2"}), "--paths");
}

TEST(Arguments, AMistypedCommandIsNamed) {
  expect_usage(run({"shw"}), "bisect-run show");
  expect_usage(run({"compar", "v1", "v2"}), "bisect-run compare");
  expect_usage(run({"reprt", "--format", "json"}), "bisect-run report");
  // Two words may be revisions: whoever finds that they are not says it.
  const auto two = run({"resum", "20261130"});
  ASSERT_TRUE(two);
  EXPECT_NE(two->arguments->command_meant.find("bisect-run resume"), std::string::npos);
  EXPECT_TRUE(run({"v3.9", "v3.15"})->arguments->command_meant.empty());
}

TEST(Arguments, HelpAndVersionAreTexts) {
  const auto help = run({"--help"});
  ASSERT_TRUE(help);
  EXPECT_FALSE(help->arguments);
  EXPECT_NE(help->text.find("Good comes first"), std::string::npos);
  for (const auto* command :
       {"compare", "scenario", "plan", "report", "runs", "show", "resume", "demo"})
    EXPECT_NE(help->text.find(command), std::string::npos) << command;
  ASSERT_TRUE(run({"compare", "--help"}));
  EXPECT_NE(run({"compare", "--help"})->text.find("SPEC"), std::string::npos);
  ASSERT_TRUE(run({"--version"}));
  EXPECT_NE(run({"--version"})->text.find("bisect-run"), std::string::npos);
}

TEST(Arguments, CompareTakesListsTagsAndSeveralScenarios) {
  const auto parsed =
      run({"compare", "--tags", "v1..v2", "--list", "file", "--scenario", "a,b", "--most-boots",
           "20", "--min-effect", "5%", "--fail-on-regression", "--on-end", "mail me"});
  ASSERT_TRUE(parsed) << parsed.error().message;
  const auto& a = *parsed->arguments;
  EXPECT_EQ(a.scenarios, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(a.tags, "v1..v2");
  EXPECT_EQ(a.most_boots, 20);
  EXPECT_EQ(a.min_effect, 0.05);
  EXPECT_TRUE(a.fail_on_regression);
  EXPECT_EQ(a.on_end, "mail me");
  expect_usage(run({"compare"}), "kernels are needed");
  expect_usage(run({"compare", "a", "--tags", "a...b"}), "A..B");
  expect_usage(run({"compare", "a", "--boots", "4", "--most-boots", "3"}), "below");
}

TEST(Arguments, TheManualIsMadeOfTheHelp) {
  const auto manual = run({"--man"});
  ASSERT_TRUE(manual) << manual.error().message;
  EXPECT_FALSE(manual->arguments);
  EXPECT_TRUE(manual->text.starts_with(".TH BISECT\\-RUN 1"));
  const auto completion = run({"--bash-completion"});
  ASSERT_TRUE(completion);
  for (const auto* option : {"fail-on-regression", "follow", "strategy", "against", "on-end"}) {
    EXPECT_NE(completion->text.find(std::string("--") + option), std::string::npos) << option;
    std::string in_roff = "\\-\\-";
    for (const char* c = option; *c != 0; ++c) in_roff += *c == '-' ? "\\-" : std::string(1, *c);
    EXPECT_NE(manual->text.find(in_roff), std::string::npos) << option;
  }
}

}  // namespace
}  // namespace bisect_run::cli
