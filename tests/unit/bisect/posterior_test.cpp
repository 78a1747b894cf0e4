#include "bisect/posterior.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "bisect/posterior_model.h"
#include "support/histories.h"
#include "support/simulated_lab.h"

namespace bisect_run::bisect {
namespace {

using test::one_change;
using test::Played;
using test::World;
using Kind = Conclusion::Kind;

TEST(Posterior, FindsEveryCulpritOfALine) {
  const Graph graph(test::linear_range(60));
  for (Node culprit = 1; culprit <= 60; ++culprit) {
    const auto strategy = make_posterior(graph);
    const Played played = test::play(*strategy, one_change(graph, culprit, 0.5), culprit);
    ASSERT_EQ(played.conclusion.kind, Kind::commit) << played.conclusion.reason;
    EXPECT_EQ(played.conclusion.nodes, std::vector<Node>{culprit});
    EXPECT_LE(played.builds, 2 + 6 + 1);
    EXPECT_GE(played.conclusion.confidence.value(), 0.99);
    EXPECT_NEAR(played.conclusion.delta.value(), -0.5, 0.06);
    EXPECT_FALSE(played.conclusion.in_between);
    EXPECT_LE(played.conclusion.delta_low.value(), played.conclusion.delta.value());
    EXPECT_LT(played.conclusion.delta_high.value(), -0.4);
  }
}

TEST(Posterior, WithoutNoiseOneBootAProbe) {
  const Graph graph(test::linear_range(1024));
  for (Node culprit : {1U, 77U, 512U, 513U, 1024U}) {
    const auto strategy = make_posterior(graph);
    const Played played = test::play(*strategy, one_change(graph, culprit, 0.03, 0), 1);
    EXPECT_EQ(played.conclusion.nodes, std::vector<Node>{culprit});
    EXPECT_EQ(played.builds, 12);
    EXPECT_EQ(played.boots, 6 + 10 + 6);
  }
}

TEST(Posterior, FindsCulpritsInHistoriesWithMergesAndMeasuresAllParents) {
  std::mt19937_64 random(12);
  for (int round = 0; round < 40; ++round) {
    const Graph graph(test::random_range(random, 150, 0.25));
    const Node culprit = 1 + static_cast<Node>(random() % (graph.size() - 1));
    const auto strategy = make_posterior(graph);
    const Played played = test::play(*strategy, one_change(graph, culprit, 0.3), round);
    ASSERT_EQ(played.conclusion.kind, Kind::commit) << round << ": " << played.conclusion.reason;
    EXPECT_EQ(played.conclusion.nodes, std::vector<Node>{culprit}) << round;
    for (Node parent : graph.parents(culprit))  // case C7
      EXPECT_GE(std::count(played.order.begin(), played.order.end(), parent), 2) << round;
  }
}

TEST(Posterior, C2OneLuckyReadingIsUndoneByLaterOnes) {
  const Graph graph(test::linear_range(256));
  int right = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    World world = one_change(graph, 60, 0.08);
    const auto base = world.level;
    world.level = [base, first = true](Node node, double time) mutable {
      if (node < 100 || node > 150 || !first) return base(node, time);
      first = false;
      return 0.0;
    };
    const auto strategy = make_posterior(graph);
    const Played played = test::play(*strategy, world, seed);
    right += played.conclusion.nodes == std::vector<Node>{60};
  }
  EXPECT_GE(right, 19);
}

TEST(Posterior, C3AgreementInsideOneKernelIsNotTakenForCertainty) {
  // Each kernel has its own luck of 2 %, its boots agree to 0.1 %. Layouts cannot be varied here.
  const Graph graph(test::linear_range(64));
  int wrong = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    World world = one_change(graph, 20, 0.08, 0.001);
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal(0, 0.02);
    std::vector<double> luck;
    for (Node node = 0; node < graph.size(); ++node) luck.push_back(normal(random));
    const auto base = world.level;
    world.level = [base, luck](Node node, double time) { return base(node, time) + luck[node]; };
    const auto strategy = make_posterior(graph);
    const Played played = test::play(*strategy, world, seed, 600);
    wrong += played.conclusion.kind == Kind::commit && played.conclusion.nodes.front() != 20;
  }
  EXPECT_LE(wrong, 6);
}

TEST(Posterior, C5OnlyTheSpreadChanged) {
  const Graph graph(test::linear_range(64));
  int culprits = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    World world = one_change(graph, 30, 0, 0.01);
    std::mt19937_64 random(seed + 1000);
    world.level = [random, normal = std::normal_distribution<double>(0, 0.04)](
                      Node node, double) mutable { return node >= 30 ? normal(random) : 0.0; };
    PosteriorSettings settings;
    settings.most_boots = 150;
    const auto strategy = make_posterior(graph, settings);
    culprits += test::play(*strategy, world, seed).conclusion.kind == Kind::commit;
  }
  EXPECT_LE(culprits, 1);
}

TEST(Posterior, C6LeavesALongBrokenStretch) {
  const Graph graph(test::linear_range(4000));
  World world = one_change(graph, 700, 0.5);
  world.fails = [](Node node) { return node >= 1800 && node <= 2200 ? "does not compile" : ""; };
  const auto strategy = make_posterior(graph);
  const Played played = test::play(*strategy, world, 4);
  EXPECT_EQ(played.conclusion.nodes, std::vector<Node>{700});
  EXPECT_LE(played.failures, 8);
}

TEST(Posterior, C6ACulpritInsideTheStretchGivesTheSet) {
  const Graph graph(test::linear_range(60));
  World world = one_change(graph, 31, 0.5);
  world.fails = [](Node node) { return node >= 30 && node <= 32 ? "panics at boot" : ""; };
  const auto strategy = make_posterior(graph);
  const Played played = test::play(*strategy, world, 4);
  ASSERT_EQ(played.conclusion.kind, Kind::set);
  EXPECT_EQ(played.conclusion.nodes, (std::vector<Node>{30, 31, 32, 33}));
  EXPECT_EQ(played.conclusion.reason, "3 of these commits cannot be tested");
}

TEST(Posterior, SkipBudget) {
  const Graph graph(test::linear_range(2000));
  World world = one_change(graph, 900, 0.5);
  world.fails = [](Node node) { return node > 0 && node < 2000 ? "does not compile" : ""; };
  const auto strategy = make_posterior(graph);
  const Played played = test::play(*strategy, world, 4);
  EXPECT_EQ(played.conclusion.kind, Kind::set);
  EXPECT_EQ(played.failures, PosteriorSettings().most_skips);
  EXPECT_EQ(played.conclusion.nodes.size(), 2000U);
}

TEST(Posterior, C7AParentThatCannotBeTestedMakesASet) {
  // Merge 3 is the culprit; its parent 2 cannot be built.
  const Graph graph(test::make_range({{}, {0}, {0}, {1, 2}, {3}, {4}}));
  World world = one_change(graph, 3, 0.5);
  world.fails = [](Node node) { return node == 2 ? "does not compile" : ""; };
  const auto strategy = make_posterior(graph);
  const Played played = test::play(*strategy, world, 4);
  EXPECT_EQ(played.conclusion.kind, Kind::set);
  EXPECT_EQ(played.conclusion.nodes, (std::vector<Node>{2, 3}));
}

TEST(Posterior, ABadAncestorOfGoodIsNoCulprit) {
  const Graph graph(test::make_range({{}, {}, {1}, {0, 2}}, 2));
  World world;
  world.level = [](Node node, double) { return node == 0 ? 0.0 : -0.5; };
  const auto strategy = make_posterior(graph);
  const Played played = test::play(*strategy, world, 1);
  EXPECT_EQ(played.conclusion.kind, Kind::none);
  EXPECT_NE(played.conclusion.reason.find("--find-fix"), std::string::npos);
}

TEST(Posterior, TwoChangesAreSaid) {
  const Graph graph(test::linear_range(500));
  World world;
  world.level = [](Node node, double) {
    return (node >= 100 ? -0.3 : 0.0) + (node >= 400 ? -0.2 : 0.0);
  };
  PosteriorSettings settings;
  settings.search_on = false;
  const auto strategy = make_posterior(graph, settings);
  const Played played = test::play(*strategy, world, 1);
  EXPECT_EQ(played.conclusion.nodes, std::vector<Node>{100});
  EXPECT_GT(played.conclusion.two_changes.value(), 0.95);
  EXPECT_NE(played.conclusion.reason.find("more than once"), std::string::npos);
  // 0.2 of the 0.5 between the ends is left.
  EXPECT_NEAR(played.conclusion.rest.value(), -0.2, 4 * played.conclusion.rest_error.value());
  EXPECT_LT(played.conclusion.rest_error.value(), 0.03);
}

TEST(Posterior, ALevelInBetweenIsPointedOut) {
  // 250 and what follows up to 256 lies half way; booted often, all the rest is clear.
  const Graph graph(test::linear_range(500));
  Evidence evidence;
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(0, 0.005);
  const auto boots = [&](Node node, double level, int count) {
    for (int i = 0; i < count; ++i) {
      const double time = 30.0 * static_cast<double>(evidence.boots.size());
      evidence.boots.push_back({node, node, level + normal(random), time});
    }
  };
  for (int pair = 0; pair < 5; ++pair) {
    boots(pair % 2 == 0 ? 0 : 500, pair % 2 == 0 ? 0 : -0.3, 1);
    boots(pair % 2 == 0 ? 500 : 0, pair % 2 == 0 ? -0.3 : 0, 1);
  }
  boots(250, -0.12, 8);
  boots(251, -0.3, 8);
  const auto strategy = make_posterior(graph);
  Action action = strategy->next(evidence);
  for (int more = 0; more < 40 && std::holds_alternative<BootNode>(action); ++more) {
    const Node node = std::get<BootNode>(action).node;
    boots(node, node < 250 ? 0 : (node == 250 ? -0.12 : -0.3), 1);
    action = strategy->next(evidence);
  }
  ASSERT_TRUE(std::holds_alternative<Conclusion>(action));
  EXPECT_EQ(std::get<Conclusion>(action).in_between, 250U);
}

TEST(Posterior, RefusesWhatCannotBeBisected) {
  const Graph graph(test::linear_range(60));
  {
    const auto strategy = make_posterior(graph);
    const Played played = test::play(*strategy, one_change(graph, 30, -0.5), 1);
    EXPECT_EQ(played.conclusion.kind, Kind::refused);
    EXPECT_NE(played.conclusion.reason.find("not worse"), std::string::npos);
  }
  {
    World world = one_change(graph, 30, 0.5);
    world.fails = [](Node node) { return node == 0 ? "needs gcc 4" : ""; };
    const auto strategy = make_posterior(graph);
    EXPECT_EQ(test::play(*strategy, world, 1).conclusion.reason,
              "GOOD cannot be tested: needs gcc 4");
  }
  Evidence same;
  same.boots = {{.node = 0, .build = 4, .y = 1, .time_s = 1},
                {.node = 60, .build = 4, .y = 1, .time_s = 1, .shared = true}};
  const Action action = make_posterior(graph)->next(same);
  ASSERT_TRUE(std::holds_alternative<Conclusion>(action));
  EXPECT_EQ(std::get<Conclusion>(action).reason, "GOOD and BAD build the same kernel");
}

TEST(Posterior, TheEndsAreLookedAtAgainWhenDriftMayHaveGrown) {
  const Graph graph(test::linear_range(64));
  const PosteriorSettings settings;
  int controls = 0, searches = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (double passed : {30.0, 300.0, 3000.0, 30000.0}) {
      std::mt19937_64 random(seed);
      std::normal_distribution<double> normal(0, 0.02);
      Evidence evidence;
      for (int i = 0; i < 40; ++i) {
        const Node end = i % 2 == 0 ? 0 : 64;
        evidence.boots.push_back({end, end, (end ? -0.06 : 0) + normal(random), 60.0 * i});
      }
      evidence.boots.push_back({32, 32, normal(random), 60.0 * 39 + passed});
      PosteriorModel model(graph, settings, Classes(graph, {}));
      std::size_t calibrated = 0;  // boots
      for (const BootFact& boot : boot_facts(evidence)) {
        model.add(boot);
        if (model.calibration().state() != Calibration::State::apart) ++calibrated;
      }
      ASSERT_EQ(model.calibration().state(), Calibration::State::apart);
      const Belief& belief = model.belief();
      const bool wanted =
          belief.drift * passed > std::max(0.03 * belief.sigma2, std::pow(belief.change / 20, 2));
      const Action action = make_posterior(graph)->next(evidence);
      ASSERT_TRUE(std::holds_alternative<BootNode>(action));
      const BootNode& boot = std::get<BootNode>(action);
      EXPECT_EQ(boot.why.starts_with("control"), wanted) << seed << " " << passed;
      // GOOD and BAD in turn: each boot of an end since the calibration was one.
      const Node turn = (40 - calibrated - 1) % 2 == 0 ? graph.good() : graph.bad();
      EXPECT_TRUE(!wanted || boot.node == turn) << boot.node;
      ++(wanted ? controls : searches);
    }
  EXPECT_GT(controls, 10);
  EXPECT_GT(searches, 10);
}

TEST(Posterior, SameEvidenceSameActionBitByBit) {
  const Graph graph(test::linear_range(300));
  World world = one_change(graph, 77, 0.06);
  world.fails = [](Node node) { return node >= 140 && node <= 155 ? "no" : ""; };
  const auto first = make_posterior(graph);
  const Played played = test::play(*first, world, 9);
  // The finished evidence, given whole to a new strategy, leads to the same end.
  const auto fresh = make_posterior(graph);
  const Action end = fresh->next(played.evidence);
  ASSERT_TRUE(std::holds_alternative<Conclusion>(end));
  const auto& conclusion = std::get<Conclusion>(end);
  EXPECT_EQ(conclusion.nodes, played.conclusion.nodes);
  EXPECT_EQ(conclusion.confidence, played.conclusion.confidence);
  EXPECT_EQ(conclusion.delta, played.conclusion.delta);
  // And on the way: growing, and shrinking again, changes nothing.
  for (std::size_t made = 0; made < played.evidence.boots.size(); made += 7) {
    Evidence prefix;
    prefix.boots.assign(played.evidence.boots.begin(), played.evidence.boots.begin() + long(made));
    const Action ours = fresh->next(prefix);
    const Action theirs = make_posterior(graph)->next(prefix);
    ASSERT_TRUE(std::holds_alternative<BootNode>(ours));
    EXPECT_EQ(std::get<BootNode>(ours).node, std::get<BootNode>(theirs).node);
    EXPECT_EQ(std::get<BootNode>(ours).why, std::get<BootNode>(theirs).why);
  }
}

TEST(Posterior, KernelsOfEqualSignatureNeedNoBoots) {
  // All commits between two multiples of 8 build the same kernel.
  const Graph graph(test::linear_range(64));
  const auto strategy = make_posterior(graph);
  Evidence evidence;
  std::vector<Node> built;
  const auto kernel = [](Node node) { return node / 8; };
  int boots = 0;
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(0, 0.02);
  std::vector<Observation> made;
  Action action = strategy->next(evidence);
  for (; boots < 200 && std::holds_alternative<BootNode>(action);
       action = strategy->next(evidence)) {
    const Node node = std::get<BootNode>(action).node;
    const bool fresh = std::find(built.begin(), built.end(), node) == built.end();
    if (fresh) built.push_back(node);
    const bool known = std::any_of(made.begin(), made.end(), [&](const Observation& boot) {
      return boot.build == kernel(node);
    });
    if (!fresh || !known) {
      ++boots;
      made.push_back(
          {node, kernel(node), (node >= 24 ? -0.2 : 0.0) + normal(random), 30.0 * boots});
    }
    evidence = {};
    evidence.built = built;
    for (const Observation& boot : made)
      for (Node twin : built)
        if (kernel(twin) == boot.build) {
          Observation copy = boot;
          copy.node = twin;
          copy.shared = twin != boot.node;
          evidence.boots.push_back(copy);
        }
  }
  ASSERT_TRUE(std::holds_alternative<Conclusion>(action));
  EXPECT_EQ(std::get<Conclusion>(action).nodes, std::vector<Node>{24});
}

TEST(Posterior, SetBackCommitsAreNeverBeyondSuspicion) {
  const Graph graph(test::linear_range(256));
  PosteriorSettings settings;
  settings.set_back = NodeSet(graph.size());
  for (Node node = 1; node <= 256; ++node)
    if (node % 4 != 0) settings.set_back.insert(node);
  int builds = 0, usual = 0;
  for (Node culprit : {4U, 100U, 256U}) {
    const auto strategy = make_posterior(graph, settings);
    const Played played = test::play(*strategy, one_change(graph, culprit, 0.5), culprit);
    EXPECT_EQ(played.conclusion.nodes, std::vector<Node>{culprit});
    builds += played.builds;
    const auto plain = make_posterior(graph);
    usual += test::play(*plain, one_change(graph, culprit, 0.5), culprit).builds;
  }
  EXPECT_LT(builds, usual);
  // One that was set back is found all the same.
  const auto strategy = make_posterior(graph, settings);
  EXPECT_EQ(test::play(*strategy, one_change(graph, 101, 0.5), 3).conclusion.nodes,
            std::vector<Node>{101});
}

TEST(Posterior, LooksAheadAndAssesses) {
  const Graph graph(test::linear_range(1024));
  const auto strategy = make_posterior(graph);
  EXPECT_NEAR(strategy->outlook({}).builds, 12.5, 1e-9);
  const Played played = test::play(*strategy, one_change(graph, 300, 0.5), 1);
  EXPECT_EQ(strategy->assess(played.evidence, 300).outcome, Outcome::bad);
  EXPECT_EQ(strategy->assess(played.evidence, 299).outcome, Outcome::good);
  EXPECT_EQ(strategy->assess(played.evidence, 0).outcome, Outcome::good);
  EXPECT_EQ(strategy->assess(played.evidence, 1024).outcome, Outcome::bad);
  EXPECT_EQ(strategy->assess(played.evidence, 5).outcome, Outcome::undecided);
  EXPECT_EQ(strategy->outlook(played.evidence).builds, 0);
  EXPECT_EQ(strategy->outlook(played.evidence).boots, 0);
}

TEST(Posterior, NamesCommitsToBuildAhead) {
  const Graph graph(test::linear_range(1000));
  const auto strategy = make_posterior(graph);
  Evidence calibrated;
  for (int boot = 0; boot < 10; ++boot) {
    const Node node = boot % 2 == 0 ? 0 : 1000;
    calibrated.boots.push_back({node, node, (node ? -0.5 : 0.0) + 0.01 * (boot % 3), 30.0 * boot});
  }
  EXPECT_TRUE(strategy->prebuild({}, 3).empty());
  const std::vector<Node> ahead = strategy->prebuild(calibrated, 3);
  ASSERT_EQ(ahead.size(), 3U);
  EXPECT_NEAR(ahead[0], 250, 2);
  EXPECT_NEAR(ahead[1], 500, 2);
  EXPECT_NEAR(ahead[2], 750, 2);
  // Once built they are booted, and nothing more is built meanwhile.
  calibrated.built = {250, 750};
  const Action action = strategy->next(calibrated);
  ASSERT_TRUE(std::holds_alternative<BootNode>(action));
  const Node node = std::get<BootNode>(action).node;
  EXPECT_TRUE(node == 250 || node == 750) << node;
  EXPECT_TRUE(strategy->prebuild(calibrated, 3).empty());
}

}  // namespace
}  // namespace bisect_run::bisect
