// Case C1 from end to end, with real checkouts and a real make on a small tree of our own: half way
// through the history its Kconfig gains RCU_NOCB_CPU_ALL. The guests are made up: their rate
// follows from the .config that was built and from the boot arguments.
#include <gtest/gtest.h>

#include <algorithm>

#include "bisect/three_way.h"
#include "cli/adapters.h"
#include "engine/bisection.h"
#include "engine/config_trap.h"
#include "integration/kernel/fake_tree.h"
#include "support/fake_world.h"
#include "support/git_repo.h"

namespace bisect_run {
namespace {

namespace fs = std::filesystem;

constexpr int kCommits = 8, kSymbolComes = 4;

/// Commits c0 to c7, each with code of its own; the symbol comes with c4.
struct SmallHistory {
  test::TempDir dir;
  test::FakeTree tree;
  test::GitRepo repo{dir / "linux"};
  std::vector<Oid> oids;

  SmallHistory() {
    const std::string before = test::read_file(tree.path() / "Kconfig");
    for (int i = 0; i < kCommits; ++i) {
      tree.code(std::to_string(i));
      if (i >= kSymbolComes)
        tree.write("Kconfig", before +
                                  "config RCU_NOCB_CPU_ALL\n\tbool\n\tdepends on "
                                  "RCU_NOCB_CPU\n");
      fs::copy(tree.path(), repo.path(),
               fs::copy_options::recursive | fs::copy_options::overwrite_existing);
      oids.push_back({repo.commit("c" + std::to_string(i))});
    }
  }
};

/// Variants as someone would write them who did not think of older trees: there `all` is silently
/// none.
Recipe recipe() {
  Recipe made;
  made.config = {{"SMP", "y", true}, {"NR_CPUS", "8"}};
  const ConfigLine on{"RCU_NOCB_CPU", "y", true};
  VariantCase choice{
      {"RCU_NOCB_CPU_ALL"}, {}, "", {on, {"RCU_NOCB_CPU_ALL", "y", true}}, {}, "all"};
  VariantCase dropped{{"RCU_NOCB_CPU"}, {}, "", {on}, {}, "none"};
  VariantCase list{{"RCU_NOCB_CPU"}, {}, "", {on}, {"rcu_nocbs=0-{last}"}, "all"};
  made.isolate_builds = Isolate::never;  // the small tree writes beside its object directory
  made.variants = {{"none", "", {dropped}},
                   {"all", "", {choice, dropped}, kOffloadAxis, "all-by-list"},
                   {"all-by-list", "", {list}}};
  return made;
}

/// Guests whose rate falls from 100 to 10 where callbacks are offloaded, or from `slow_from` on.
struct Guests : engine::Lab {
  test::FakeWorld& world;
  std::vector<Oid> oids;
  bool offloading_is_slow = true;
  int slow_from = kCommits;
  std::vector<std::string> by_list;  ///< commits booted in the equivalent variant

  Guests(test::FakeWorld& world_, std::vector<Oid> oids_) : world(world_), oids(std::move(oids_)) {}

  Boot boot(const engine::BootRequest& request, engine::SampleSink& sink) override {
    const bool by_config =
        test::read_file(request.image.config).find("CONFIG_RCU_NOCB_CPU_ALL=y\n") !=
        std::string::npos;
    const bool offloaded = by_config || !request.image.boot_args.empty();
    const auto place = std::ranges::find(oids, request.spec.commit) - oids.begin();
    const bool slow = (offloading_is_slow && offloaded) || place >= slow_from;
    if (request.spec.variant == "all-by-list") by_list.push_back("c" + std::to_string(place));
    world.kernels[request.spec.commit.hex].rate = (slow ? 10 : 100) * (1 + 0.003 * ++turn_ / 7);
    turn_ %= 7;
    return world.boot(request, sink);
  }

 private:
  int turn_ = 0;
};

struct Found {
  Answer answer;
  std::vector<std::string> by_list;
};

Found bisect(const SmallHistory& history, const std::string& variant, bool offloading_is_slow,
             int slow_from) {
  const auto source = git::Repository::open(history.repo.path()).value();
  std::vector<git::WorkTree> trees;
  trees.push_back(git::WorkTree::open(history.dir / "work", source).value());
  auto workshop = kernel::Workshop::open({.cache = history.dir / "cache",
                                          .recipe = recipe(),
                                          .jobs = 1,
                                          .deadline_s = 60,
                                          .free_bytes_needed = 0})
                      .value();
  cli::Progress progress(cli::Progress::Style::quiet, "");
  const Recipe rules = recipe();
  cli::BuildAdapter builder(source, trees, workshop, rules, progress, {});
  test::FakeWorld world;
  Guests guests(world, history.oids);
  guests.offloading_is_slow = offloading_is_slow;
  guests.slow_from = slow_from;
  engine::Prober prober({builder, guests, world, world, world.observer}, {}, {});

  const auto range = source.range(history.oids.front(), history.oids.back()).value();
  const engine::Question question{.metric = "m"};
  auto findings =
      engine::Bisection(
          {.range = range, .variant = variant, .scenario = {}, .machine = {}, .question = question},
          bisect::make_three_way(range), prober)
          .run()
          .value();
  if (findings.answer.kind == Answer::Kind::commit)
    findings.answer.config_change =
        engine::examine_configuration({.range = range,
                                       .variant = variant,
                                       .equivalent = variant == "all" ? "all-by-list" : "",
                                       .scenario = {},
                                       .machine = {},
                                       .question = question},
                                      findings.answer.commits.front(), prober)
            .value();
  return {findings.answer, guests.by_list};
}

TEST(ConfigTrap, C1OffloadingIsToldFromTheCommitThatBroughtTheChoice) {
  const SmallHistory history;
  const auto trap = bisect(history, "all", true, kCommits);
  ASSERT_EQ(trap.answer.kind, Answer::Kind::commit) << trap.answer.reason;
  EXPECT_EQ(trap.answer.commits.front().subject, "c4");
  ASSERT_TRUE(trap.answer.config_change);
  const auto& change = *trap.answer.config_change;
  EXPECT_EQ(change.cause, ConfigChange::Cause::configuration) << change.reason;
  EXPECT_EQ(change.parent, history.oids[3]);
  ASSERT_EQ(change.differences.size(), 2U);
  EXPECT_EQ(change.differences[0].what, "RCU_NOCB_CPU_ALL");
  EXPECT_EQ(change.differences[0].parent, "-");
  EXPECT_EQ(change.differences[0].commit, "y");
  EXPECT_EQ(change.differences[1].what, "offloaded CPUs");
  EXPECT_EQ(trap.by_list, (std::vector<std::string>{"c3", "c3", "c3"}));
}

TEST(ConfigTrap, C1ACommitThatIsSlowByItselfIsToldFromTheChoiceItBrings) {
  const SmallHistory history;
  const auto own = bisect(history, "all", false, kSymbolComes);
  ASSERT_EQ(own.answer.kind, Answer::Kind::commit) << own.answer.reason;
  EXPECT_EQ(own.answer.commits.front().subject, "c4");
  ASSERT_TRUE(own.answer.config_change);
  EXPECT_EQ(own.answer.config_change->cause, ConfigChange::Cause::commit)
      << own.answer.config_change->reason;
}

TEST(ConfigTrap, C1NoChangeForNoneAndNoLabelElsewhere) {
  const SmallHistory history;
  EXPECT_EQ(bisect(history, "none", true, kCommits).answer.kind, Answer::Kind::none);
  const auto elsewhere = bisect(history, "all", false, 6);
  ASSERT_EQ(elsewhere.answer.kind, Answer::Kind::commit) << elsewhere.answer.reason;
  EXPECT_EQ(elsewhere.answer.commits.front().subject, "c6");
  EXPECT_FALSE(elsewhere.answer.config_change);
}

}  // namespace
}  // namespace bisect_run
