// Case C1: a Kconfig symbol appears midway, so that a bisection of the variant that asks for it
// ends there whatever the code does.
#include "engine/config_trap.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/fake_world.h"

namespace bisect_run::engine {
namespace {

using test::FakeWorld;
using Cause = ConfigChange::Cause;

LedgerLine kept(const std::string& symbol) {
  return {symbol, "y", "y", LedgerFate::kept, true};
}

std::string text(const std::vector<ConfigDifference>& all) {
  std::string lines;
  for (const auto& row : all) lines += row.what + ": " + row.parent + " -> " + row.commit + "\n";
  return lines;
}

TEST(ConfigDifferences, AreThoseOfWhatWasAskedFor) {
  Image parent, commit;
  EXPECT_TRUE(config_differences(parent, commit).empty());
  parent.ledger = {kept("NOCB"), {"TEAM", "y", "n", LedgerFate::unknown_symbol, false}};
  commit.ledger = {kept("NOCB"), kept("TEAM"), kept("NOCB_ALL"), {"PCI", "n", "n"}};
  parent.boot_args = {"rcu_nocbs=1-{last}"};
  parent.offload = "all-but-0";
  commit.offload = "all";
  EXPECT_EQ(text(config_differences(parent, commit)),
            "TEAM: n -> y\nNOCB_ALL: - -> y\nboot arguments: rcu_nocbs=1-{last} -> -\n"
            "offloaded CPUs: all-but-0 -> all\n");
  EXPECT_EQ(text(config_differences(commit, parent)),
            "TEAM: y -> n\nNOCB_ALL: y -> -\nboot arguments: - -> rcu_nocbs=1-{last}\n"
            "offloaded CPUs: all -> all-but-0\n");
}

// Of a person's own .config the ledger holds only what was lost.
TEST(ConfigDifferences, WhatAnOwnConfigKeptIsNotInTheLedger) {
  Image parent, commit;
  parent.ledger = {{"DRM", "y", "n", LedgerFate::unknown_symbol, false}};
  EXPECT_EQ(text(config_differences(parent, commit)), "DRM: n -> y\n");
}

/// p is the parent, c the commit with the symbol. Nothing is offloaded at p: its rate is 100.
struct Trap {
  FakeWorld world;
  Range range;
  Prober prober{world.ports(), {}, {}};
  TrapSetup setup{.range = range,
                  .variant = "all",
                  .equivalent = "all-by-list",
                  .scenario = {},
                  .machine = {},
                  .question = {.metric = "m"}};
  Commit commit{.oid = {"c"}, .subject = "rcu: the choice", .commit_time = 0, .parents = {{"p"}}};

  Trap(double rate_of_commit, double rate_by_list) {
    range.boundary = 1;
    range.nodes = {{.oid = {"p"}}, commit};
    range.parents = {{}, {0}};
    world.kernels["p@all"] = {.rate = 100, .ledger = {kept("NOCB")}, .offload = "none"};
    world.kernels["c@all"] = {
        .rate = rate_of_commit, .ledger = {kept("NOCB"), kept("NOCB_ALL")}, .offload = "all"};
    world.kernels["p@all-by-list"] = {.rate = rate_by_list,
                                      .signature = "sig-p",
                                      .ledger = {kept("NOCB")},
                                      .boot_args = {"rcu_nocbs=0-{last}"},
                                      .offload = "all"};
  }

  /// What a search leaves: both kernels, each booted three times.
  void search() {
    for (const auto* oid : {"p", "c"})
      for (int i = 0; i < 3; ++i)
        ASSERT_TRUE(prober.boot({oid, {oid}, {}, "all"}, setup.machine, setup.scenario));
    world.log.clear();
  }
  std::optional<ConfigChange> examine() {
    search();
    auto change = examine_configuration(setup, commit, prober);
    EXPECT_TRUE(change) << change.error().message;
    return change ? *change : std::nullopt;
  }
};

TEST(ConfigTrap, TheOffloadingIsTheCauseWhereTheParentIsSlowWithItToo) {
  Trap trap(10, 10.2);
  const auto change = trap.examine();
  ASSERT_TRUE(change);
  EXPECT_EQ(change->cause, Cause::configuration) << change->reason;
  EXPECT_EQ(change->parent.hex, "p");
  EXPECT_EQ(change->equivalent, "all-by-list");
  EXPECT_EQ(text(change->differences), "NOCB_ALL: - -> y\noffloaded CPUs: none -> all\n");
  ASSERT_TRUE(change->value);
  EXPECT_NEAR(*change->value, 10.2, 0.01);
  EXPECT_EQ(trap.world.log, (std::vector<std::string>{"build p", "boot p", "boot p", "boot p"}));
}

TEST(ConfigTrap, TheCommitIsTheCauseWhereTheParentStaysFast) {
  Trap trap(10, 99);
  const auto change = trap.examine();
  ASSERT_TRUE(change);
  EXPECT_EQ(change->cause, Cause::commit) << change->reason;
}

TEST(ConfigTrap, HalfOfEachIsBoth) {
  Trap trap(10, 31.6);  // half way on the scale of ratios
  const auto change = trap.examine();
  ASSERT_TRUE(change);
  EXPECT_EQ(change->cause, Cause::both) << change->reason;
}

TEST(ConfigTrap, NoneWhereTheConfigurationIsThatOfTheParent) {
  Trap trap(10, 10);
  trap.world.kernels["c@all"] = {.rate = 10, .ledger = {kept("NOCB")}, .offload = "none"};
  EXPECT_FALSE(trap.examine());
  EXPECT_TRUE(trap.world.log.empty());
}

// A merge brings the symbol in from its other side, whose tip is good: the symbol is not the cause.
TEST(ConfigTrap, NoneWhereAParentOfAMergeHasTheConfigurationToo) {
  Trap trap(10, 10);
  trap.commit.parents.push_back({"q"});
  trap.world.kernels["q@all"] = trap.world.kernels["c@all"];
  ASSERT_TRUE(trap.prober.image({"q", {"q"}, {}, "all"}));
  EXPECT_FALSE(trap.examine());
}

TEST(ConfigTrap, AParentThatCannotBeMeasuredLikeThatLeavesItOpen) {
  Trap trap(10, 10);
  trap.world.kernels["p@all-by-list"].builds = false;
  const auto change = trap.examine();
  ASSERT_TRUE(change);
  EXPECT_EQ(change->cause, Cause::unknown);
  EXPECT_NE(change->reason.find("cannot be measured as all-by-list: error: does not compile"),
            std::string::npos)
      << change->reason;

  Trap lost(10, 10);
  lost.world.kernels["p@all-by-list"].outcome = BootOutcome::variant_lost;
  const auto open = lost.examine();
  ASSERT_TRUE(open);
  EXPECT_EQ(open->cause, Cause::unknown);
  EXPECT_NE(open->reason.find("variant-lost"), std::string::npos) << open->reason;

  Trap without(10, 10);
  without.setup.equivalent.clear();
  const auto none = without.examine();
  ASSERT_TRUE(none);
  EXPECT_EQ(none->cause, Cause::unknown);
  EXPECT_TRUE(without.world.log.empty());
}

// As with the shipped variants on 3.9: there `all` is made by the boot argument anyway.
TEST(ConfigTrap, AParentMeasuredLikeThatAlreadyNeedsNoBoot) {
  Trap trap(10, 100);
  trap.world.kernels["p@all"].boot_args = {"rcu_nocbs=0-{last}"};
  const auto change = trap.examine();
  ASSERT_TRUE(change);
  EXPECT_EQ(change->cause, Cause::commit);
  EXPECT_EQ(trap.world.log, std::vector<std::string>{"build p"});
}

/// A build takes 10 s here, a boot 5; the search has made six boots and two builds.
TEST(ConfigTrap, BeginsNothingThatTheRunMayNotSpend) {
  Trap few(10, 10);
  few.setup.allowance.most_boots = 7;
  const auto open = few.examine();
  ASSERT_TRUE(open);
  EXPECT_EQ(open->cause, Cause::unknown);
  EXPECT_EQ(open->reason,
            "the parent p cannot be measured as all-by-list: the run has no boots left");
  EXPECT_EQ(few.world.log, (std::vector<std::string>{"build p", "boot p"}));

  Trap late(10, 10);
  late.search();
  late.setup.allowance.deadline = late.world.seconds + 14;
  const auto change = examine_configuration(late.setup, late.commit, late.prober);
  ASSERT_TRUE(change && *change);
  EXPECT_EQ((*change)->reason,
            "the parent p cannot be measured as all-by-list: the budget is spent");
  EXPECT_TRUE(late.world.log.empty());
}

TEST(ConfigTrap, WhatWasMeasuredIsJudgedWithoutTime) {
  Trap trap(10, 10);
  const auto before = trap.examine();
  trap.setup.allowance.deadline = 0;
  const auto change = examine_configuration(trap.setup, trap.commit, trap.prober);
  ASSERT_TRUE(before && change && *change);
  EXPECT_EQ((*change)->cause, Cause::configuration);
  EXPECT_EQ((*change)->reason, before->reason);
}

TEST(ConfigTrap, BootsOfAnEarlierTryCount) {
  Trap trap(10, 10);
  trap.search();
  const KernelSpec by_list{"p@all-by-list", {"p"}, {}, "all-by-list"};
  ASSERT_TRUE(trap.prober.boot(by_list, {}, {}));
  trap.world.log.clear();
  const auto change = examine_configuration(trap.setup, trap.commit, trap.prober);
  ASSERT_TRUE(change && *change);
  EXPECT_EQ((*change)->cause, Cause::configuration);
  EXPECT_EQ(std::ranges::count(trap.world.log, "boot p"), 2);
}

}  // namespace
}  // namespace bisect_run::engine
