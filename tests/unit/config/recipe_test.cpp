#include "config/recipe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "config/make_variables.h"
#include "support/recipe_text.h"

namespace bisect_run::config {
namespace {

using test::recipe_message;

const std::string kSmall =
    "config:\n"                                            // 1
    "  - for: a test\n"                                    // 2
    "    must: {SMP: y}\n"                                 // 3
    "    want: {NR_CPUS: 8}\n"                             // 4
    "boot-args: [panic=-1]\n"                              // 5
    "variants:\n"                                          // 6
    "  all:\n"                                             // 7
    "    summary: s\n"                                     // 8
    "    cases:\n"                                         // 9
    "      - {with: [A], config: {A: y}, offload: all}\n"  // 10
    "      - impossible: not here\n"                       // 11
    "machines:\n"                                          // 12
    "  m: {cpus: 2, memory: 512 MiB}\n"                    // 13
    "machine: m\n";                                        // 14

std::string with(std::string_view from, std::string_view to) {
  return test::replaced(kSmall, from, to);
}

TEST(Recipe, SaysWhetherBuildsAreIsolated) {
  const auto read = [](const std::string& line) { return parse_recipe(line + kSmall, "k.yaml"); };
  EXPECT_EQ(read("")->isolate_builds, Isolate::where_possible);
  EXPECT_EQ(read("isolate-builds: auto\n")->isolate_builds, Isolate::where_possible);
  EXPECT_EQ(read("isolate-builds: always\n")->isolate_builds, Isolate::always);
  EXPECT_EQ(read("isolate-builds: never\n")->isolate_builds, Isolate::never);
  EXPECT_NE(recipe_message("isolate-builds: often\n" + kSmall).find("k.yaml:1:17: "),
            std::string::npos)
      << recipe_message("isolate-builds: often\n" + kSmall);
}

TEST(Recipe, ReadsEveryField) {
  const auto recipe = parse_recipe(
      with("config:\n",
           "repository: /srv/linux\ntoolchain: {name: old, cc: gcc-9, make: [W=0]}\nconfig:\n"),
      "k.yaml");
  ASSERT_TRUE(recipe) << recipe.error().message;
  EXPECT_EQ(recipe->repository, "/srv/linux");
  EXPECT_EQ(recipe->toolchain.name, "old");
  EXPECT_EQ(recipe->toolchain.cc, "gcc-9");
  EXPECT_EQ(recipe->toolchain.make_variables, std::vector<std::string>{"W=0"});
  ASSERT_EQ(recipe->config.size(), 2u);
  EXPECT_EQ(recipe->config[0], (ConfigLine{"SMP", "y", true}));
  EXPECT_EQ(recipe->config[1], (ConfigLine{"NR_CPUS", "8", false}));
  EXPECT_EQ(recipe->boot_args, std::vector<std::string>{"panic=-1"});
  const auto* all = recipe->variant("all");
  ASSERT_NE(all, nullptr);
  ASSERT_EQ(all->cases.size(), 2u);
  EXPECT_EQ(all->cases[0].with_symbols, std::vector<std::string>{"A"});
  EXPECT_EQ(all->cases[0].config, (std::vector<ConfigLine>{{"A", "y", true}}));
  EXPECT_EQ(all->cases[0].offload, "all");
  EXPECT_EQ(all->cases[1].impossible, "not here");
  EXPECT_EQ(recipe->machines.at("m"), (Machine{2, 512, "auto", "real"}));
  EXPECT_EQ(recipe->default_machine, "m");
}

TEST(Recipe, WritesTextsAsDotConfigDoes) {
  const auto recipe = parse_recipe(with("NR_CPUS: 8", "LOCALVERSION: ''"), "k.yaml");
  ASSERT_TRUE(recipe) << recipe.error().message;
  EXPECT_EQ(recipe->config[1].value, "\"\"");
}

struct Wrong {
  std::string from, to, message;
};

TEST(Recipe, SaysWhereAndWhatWouldBeRight) {
  const Wrong cases[] = {
      {"boot-args:", "boot_args:",
       "k.yaml:5:1: unknown key 'boot_args'; did you mean 'boot-args'?"},
      {"SMP: y", "CONFIG_SMP: y", "k.yaml:3:12: write the symbol without CONFIG_: SMP"},
      {"SMP: y", "SMP: m", "k.yaml:3:17: modules are not loaded in the guest; write y"},
      {"SMP: y", "SMP: 'y'", "k.yaml:3:17: in quotes this is a text; write y without them"},
      {"SMP: y", "SMP: true",
       "k.yaml:3:17: 'true' is no config value; y, n, a number or a text in quotes"},
      {"SMP: y", "SMP: y, SMP: n",
       "k.yaml:3:20: 'SMP' was set before, in line 3; keep one of them"},
      {"NR_CPUS: 8", "SMP: n", "k.yaml:4:12: SMP was set before; keep one of the lines"},
      {"512 MiB", "512",
       "k.yaml:13:24: '512' is no amount of memory; a whole number with MiB or GiB, such as 512 "
       "MiB"},
      {"512 MiB", "512 MB",
       "k.yaml:13:24: '512 MB' is no amount of memory; a whole number with MiB or GiB, such as 512 "
       "MiB"},
      {"512 MiB", "1 MiB", "k.yaml:13:24: 1 MiB is out of range; from 64 MiB to 64 GiB"},
      {"cpus: 2", "cpus: two",
       "k.yaml:13:13: 'two' is no plain number; expected a whole number from 1 to 64"},
      {"cpus: 2", "cpus: 99999999999999999999",
       "k.yaml:13:13: 99999999999999999999 is out of range; expected a whole number from 1 to 64"},
      {"machine: m", "machine: n", "k.yaml:14:10: 'n' is not known here; did you mean 'm'?"},
      {"machine: m\n", "", "k.yaml:1:1: the key 'machine' is missing here; add it"},
      {"offload: all", "offload: every",
       "k.yaml:10:46: 'every' is not known here; one of: none, 0, all, all-but-0"},
      {", offload: all", "", "k.yaml:10:9: the key 'offload' is missing here; add it"},
      {"impossible: not here", "{impossible: no, offload: all}",
       "k.yaml:11:35: an impossible case has no offload; remove one of the two"},
      {"with: [A], ", "",
       "k.yaml:11:9: never reached: the case before it fits every tree; move that one to the end"},
      {"[panic=-1]", "panic=-1",
       "k.yaml:5:12: expected a list, found one value; write [a, b] or lines that begin with '- '"},
      {"[panic=-1]", "['rcu_nocbs=0-{lsat}']",
       "k.yaml:5:13: only {last} and {tsc_khz} are replaced in an argument"},
      {"[panic=-1]", "['panic=-1 quiet']",
       "k.yaml:5:13: one argument an item, without spaces; split it"},
      {"  all:", "  All:",
       "k.yaml:7:3: 'All' is no name of a variant; small letters, digits, - _ ."},
  };
  for (const auto& wrong : cases)
    EXPECT_EQ(recipe_message(with(wrong.from, wrong.to)), wrong.message) << wrong.to;
}

// The recipe that is shipped, against what is known of the trees (RCU_NOCB by version).
class Shipped : public ::testing::Test {
 protected:
  void SetUp() override {
    auto loaded = load_recipe(std::filesystem::path(BISECT_RUN_SOURCE_DIR) / "kernels.yaml");
    ASSERT_TRUE(loaded) << loaded.error().message;
    recipe_ = *loaded;
  }

  /// The case a tree with these symbols gets.
  const VariantCase& chosen(std::string_view variant, const std::vector<std::string>& declared) {
    const auto has = [&](const std::string& symbol) {
      return std::ranges::find(declared, symbol) != declared.end();
    };
    for (const auto& made : recipe_.variant(variant)->cases)
      if (std::ranges::all_of(made.with_symbols, has) &&
          std::ranges::none_of(made.without_symbols, has))
        return made;
    throw std::logic_error("no case fits");
  }

  Recipe recipe_;
  const std::vector<std::string> v3_7{"TREE_RCU", "TREE_PREEMPT_RCU"};
  const std::vector<std::string> v3_9{"TREE_RCU", "TREE_PREEMPT_RCU", "RCU_NOCB_CPU"};
  const std::vector<std::string> v3_15{"TREE_RCU",          "TREE_PREEMPT_RCU",
                                       "RCU_NOCB_CPU",      "RCU_NOCB_CPU_NONE",
                                       "RCU_NOCB_CPU_ZERO", "RCU_NOCB_CPU_ALL"};
  const std::vector<std::string> v6_1{"TREE_RCU", "RCU_EXPERT", "RCU_NOCB_CPU",
                                      "RCU_NOCB_CPU_DEFAULT_ALL"};
};

TEST_F(Shipped, VariantsFollowTheTree) {
  EXPECT_TRUE(chosen("off", v3_7).config.empty());
  EXPECT_EQ(chosen("off", v6_1).config, (std::vector<ConfigLine>{{"RCU_NOCB_CPU", "n", true}}));
  for (const auto* variant : {"none", "zero", "all"})
    EXPECT_FALSE(chosen(variant, v3_7).impossible.empty()) << variant;

  EXPECT_FALSE(chosen("zero", v3_9).impossible.empty());
  EXPECT_EQ(chosen("all", v3_9).boot_args, std::vector<std::string>{"rcu_nocbs=1-{last}"});
  EXPECT_EQ(chosen("all", v3_9).offload, "all-but-0");

  EXPECT_EQ(chosen("none", v3_15).config.back().symbol, "RCU_NOCB_CPU_NONE");
  EXPECT_EQ(chosen("zero", v3_15).config.back().symbol, "RCU_NOCB_CPU_ZERO");
  EXPECT_EQ(chosen("all", v3_15).config.back().symbol, "RCU_NOCB_CPU_ALL");
  EXPECT_TRUE(chosen("all", v3_15).boot_args.empty());

  EXPECT_TRUE(chosen("none", v6_1).boot_args.empty());
  EXPECT_EQ(chosen("zero", v6_1).boot_args, std::vector<std::string>{"rcu_nocbs=0"});
  EXPECT_EQ(chosen("all", v6_1).boot_args, std::vector<std::string>{"rcu_nocbs=0-{last}"});
  EXPECT_EQ(chosen("all", v6_1).offload, "all");
}

// What tells the commit from the offloading must not touch the choice that came with the commit.
TEST_F(Shipped, EquivalentsOffloadByTheBootArgumentAlone) {
  EXPECT_EQ(recipe_.variant("all")->equivalent, "all-by-list");
  EXPECT_EQ(recipe_.variant("zero")->equivalent, "zero-by-list");
  EXPECT_EQ(chosen("all-by-list", v3_9).boot_args, std::vector<std::string>{"rcu_nocbs=1-{last}"});
  EXPECT_EQ(chosen("all-by-list", v3_15).config.back().symbol, "RCU_NOCB_CPU_NONE");
  for (const auto& tree : {v3_15, v6_1}) {
    EXPECT_EQ(chosen("all-by-list", tree).boot_args,
              std::vector<std::string>{"rcu_nocbs=0-{last}"});
    EXPECT_EQ(chosen("all-by-list", tree).offload, "all");
    EXPECT_EQ(chosen("zero-by-list", tree).boot_args, std::vector<std::string>{"rcu_nocbs=0"});
    EXPECT_EQ(chosen("zero-by-list", tree).offload, "0");
  }
  for (const auto* variant : {"all-by-list", "zero-by-list"})
    EXPECT_FALSE(chosen(variant, v3_7).impossible.empty()) << variant;
  EXPECT_FALSE(chosen("zero-by-list", v3_9).impossible.empty());
}

// RCU_LAZY, NO_HZ_FULL and RCU_EXPERT decide what a variant means: no .config of one's own may
// turn them.
TEST_F(Shipped, PinsWhatVariantsMean) {
  for (const auto* symbol : {"RCU_LAZY", "NO_HZ_FULL", "RCU_EXPERT", "RCU_BOOST"}) {
    const auto line = std::ranges::find(recipe_.config, std::string(symbol), &ConfigLine::symbol);
    ASSERT_NE(line, recipe_.config.end()) << symbol;
    EXPECT_TRUE(line->pinned) << symbol;
    EXPECT_EQ(line->value, std::string(symbol) == "RCU_EXPERT" ? "y" : "n") << symbol;
  }
}

TEST_F(Shipped, HzAndPreemptionAreAxes) {
  for (const auto* name : {"hz100", "hz250", "hz1000"})
    EXPECT_EQ(recipe_.variant(name)->axis, "hz") << name;
  for (const auto* name : {"preempt-none", "preempt-voluntary", "preempt-full", "preempt-lazy"})
    EXPECT_EQ(recipe_.variant(name)->axis, "preempt") << name;
  EXPECT_EQ(recipe_.variant("all")->axis, kOffloadAxis);
}

TEST_F(Shipped, HasLayoutsThatDifferInFlagsAlone) {
  std::set<std::map<std::string, std::vector<std::string>>> different;
  for (const auto& rule : recipe_.variants) {
    if (rule.axis != kLayoutAxis) continue;
    ASSERT_EQ(rule.cases.size(), 1U) << rule.name;
    const auto& only = rule.cases.front();
    EXPECT_TRUE(only.config.empty() && only.boot_args.empty() && only.impossible.empty());
    different.insert(only.flags);
  }
  EXPECT_EQ(different.size(), 6U);  // with the plain one the seven of statistics.md, section 8
}

TEST_F(Shipped, HasTheMachineAndTheMusts) {
  EXPECT_EQ(recipe_.machines.at(recipe_.default_machine), (Machine{2, 512, "auto", "real"}));
  for (const auto* symbol :
       {"NET_NS", "VETH", "DEVTMPFS", "IKCONFIG_PROC", "SERIAL_8250_CONSOLE"}) {
    const auto line = std::ranges::find(recipe_.config, std::string(symbol), &ConfigLine::symbol);
    ASSERT_NE(line, recipe_.config.end()) << symbol;
    EXPECT_TRUE(line->must) << symbol;
  }
}

TEST(Recipe, ReadsFurtherAxes) {
  const auto axes = [](const std::string& text) {
    return with("machines:\n", "axes: {" + text + "}\nmachines:\n");
  };
  const auto recipe =
      parse_recipe(axes("hz: {fast: {summary: s, cases: [{config: {HZ: y}}]}}"), "k.yaml");
  ASSERT_TRUE(recipe) << recipe.error().message;
  EXPECT_EQ(recipe->variant("fast")->axis, "hz");
  EXPECT_EQ(recipe->variant("all")->axis, kOffloadAxis);
  EXPECT_EQ(recipe_message(axes("hz: {all: {summary: s, cases: [{config: {HZ: y}}]}}")),
            "k.yaml:12:13: all is the name of another variant already");
  EXPECT_EQ(recipe_message(axes("offload: {x: {summary: s, cases: [{config: {HZ: y}}]}}")),
            "k.yaml:12:8: the values of this axis stand under variants");
  EXPECT_EQ(recipe_message(axes("hz: {x: {summary: s, cases: [{config: {HZ: y}, offload: all}]}}")),
            "k.yaml:12:55: unknown key 'offload'; one of: with, without, impossible, config, "
            "flags, boot-args");
  const auto flags = [&](const std::string& text) {
    return axes("layout: {x: {summary: s, cases: [{flags: " + text + "}]}}");
  };
  const auto layout = parse_recipe(flags("{KCFLAGS: [-a, -b]}"), "k.yaml");
  ASSERT_TRUE(layout) << layout.error().message;
  EXPECT_EQ(layout->variant("x")->cases[0].flags.at("KCFLAGS"),
            (std::vector<std::string>{"-a", "-b"}));
  EXPECT_EQ(recipe_message(flags("{LD: [-a]}")),
            "k.yaml:12:50: flags cannot be added to 'LD'; one of: CC, HOSTCC, KCPPFLAGS, KAFLAGS, "
            "KCFLAGS");
  EXPECT_EQ(recipe_message(flags("{KCFLAGS: [-a -b]}")),
            "k.yaml:12:60: one flag an item, without spaces; split it");
}

TEST(Recipe, AnEquivalentIsAnotherVariantOfTheAxis) {
  for (const auto* other : {"all", "nothing"})
    EXPECT_NE(
        recipe_message(with("summary: s", "summary: s\n    equivalent: " + std::string(other)))
            .find("is no other variant of the same axis"),
        std::string::npos);
}

TEST(Recipe, ReadsNamedKernels) {
  const auto kernels = [](const std::string& text) { return kSmall + "kernels: {" + text + "}\n"; };
  const auto recipe = parse_recipe(
      kernels("old: {revision: v3.9, patches: [a.patch, abc], variant: all, machine: m}, n: "
              "{revision: v4}"),
      "k.yaml");
  ASSERT_TRUE(recipe) << recipe.error().message;
  const auto* old = recipe->kernel("old");
  ASSERT_NE(old, nullptr);
  EXPECT_EQ(old->revision, "v3.9");
  EXPECT_EQ(old->patches, (std::vector<std::string>{"a.patch", "abc"}));
  EXPECT_EQ(old->variant, "all");
  EXPECT_EQ(old->machine, "m");
  EXPECT_EQ(recipe->kernel("n")->variant, "");
  EXPECT_EQ(recipe->kernel("o"), nullptr);
  EXPECT_EQ(recipe_message(kernels("o: {variant: all}")),
            "k.yaml:15:14: the key 'revision' is missing here; add it");
  EXPECT_EQ(recipe_message(kernels("o: {revision: v1, variant: some}")),
            "k.yaml:15:38: there is no variant some in k.yaml; there are all");
  EXPECT_NE(recipe_message(kernels("o: {revision: v1, machine: big}")).find("k.yaml:15:"),
            std::string::npos);
  EXPECT_EQ(recipe_message(kernels("a@b: {revision: v1}")),
            "k.yaml:15:11: 'a@b' is no name of a kernel; letters, digits, - _ .");
}

TEST(Recipe, WhatMakeIsGivenIsNotWhatTheHarnessSets) {
  for (const auto* fine : {"W=0", "LLVM=-19", "KCFLAGS=-O2 -g", "make-cmd=x"})
    EXPECT_EQ(make_variable_problem(fine), "") << fine;
  for (const auto* wrong :
       {"", "W", "=1", "CC=clang", "ARCH=arm64", "O=/tmp", "KCONFIG_CONFIG=x", "A B=1"})
    EXPECT_NE(make_variable_problem(wrong), "") << wrong;
}

TEST(Recipe, TheVirtualClockNeedsTcg) {
  const auto with_clock = [](const std::string& rest) {
    return with("memory: 512 MiB", "memory: 512 MiB, clock: virtual" + rest);
  };
  EXPECT_EQ(parse_recipe(with_clock(""), "k.yaml")->machines.at("m"),
            (Machine{2, 512, "tcg", "virtual"}));
  EXPECT_NE(recipe_message(with_clock(", accel: kvm")).find("only tcg can"), std::string::npos);
}

}  // namespace
}  // namespace bisect_run::config
