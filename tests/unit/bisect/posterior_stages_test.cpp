// More than one change: what the first answer leaves of the ends' difference is searched on.

#include "bisect/posterior_stages.h"

#include <gtest/gtest.h>

#include <random>

#include "bisect/posterior.h"
#include "support/histories.h"
#include "support/simulated_lab.h"

namespace bisect_run::bisect {
namespace {

using test::Played;
using test::World;

struct Change {
  Node node;
  double size;
};

World with_changes(const Graph& graph, const std::vector<Change>& changes, double noise = 0.02) {
  World world;
  world.noise = noise;
  std::vector<double> levels(graph.size(), 0);
  for (const Change& change : changes) {
    const World one = test::one_change(graph, change.node, change.size);
    for (Node node = 0; node < graph.size(); ++node) levels[node] += one.level(node, 0);
  }
  world.level = [levels](Node node, double) { return levels[node]; };
  return world;
}

std::vector<Node> all_named(const Conclusion& conclusion) {
  std::vector<Node> named = conclusion.nodes;
  for (const FurtherChange& change : conclusion.further)
    named.insert(named.end(), change.nodes.begin(), change.nodes.end());
  std::sort(named.begin(), named.end());
  return named;
}

TEST(PosteriorStages, BothChangesOfALineWithTheirSizes) {
  const Graph graph(test::linear_range(500));
  const auto strategy = make_posterior(graph);
  const Played played = test::play(*strategy, with_changes(graph, {{100, 0.2}, {400, 0.3}}), 1);
  const Conclusion& end = played.conclusion;
  ASSERT_EQ(end.nodes, std::vector<Node>{400});
  ASSERT_EQ(end.further.size(), 1U);
  EXPECT_EQ(end.further[0].nodes, std::vector<Node>{100});
  EXPECT_TRUE(end.further[0].before);
  EXPECT_LT(end.delta_low.value(), -0.3);
  EXPECT_GT(end.delta_high.value(), -0.3);
  EXPECT_LT(end.further[0].delta_low, -0.2);
  EXPECT_GT(end.further[0].delta_high, -0.2);
  EXPECT_NEAR(end.rest.value(), 0, 0.03);
}

TEST(PosteriorStages, ThreeChangesOnHistoriesWithMerges) {
  std::mt19937_64 random(11);
  int all = 0;
  for (int round = 0; round < 10; ++round) {
    const Graph graph(test::random_range(random, 400, 0.15));
    std::vector<Node> at;
    while (at.size() < 3) {
      const Node node = 1 + static_cast<Node>(random() % 400);
      if (std::find(at.begin(), at.end(), node) == at.end()) at.push_back(node);
    }
    const auto strategy = make_posterior(graph);
    const World world = with_changes(graph, {{at[0], 0.3}, {at[1], 0.2}, {at[2], 0.1}}, 0.01);
    const Played played = test::play(*strategy, world, 100 + static_cast<std::uint64_t>(round));
    std::sort(at.begin(), at.end());
    for (Node node : all_named(played.conclusion))
      EXPECT_TRUE(std::binary_search(at.begin(), at.end(), node)) << "round " << round;
    all += all_named(played.conclusion) == at ? 1 : 0;
  }
  EXPECT_GE(all, 9);
}

TEST(PosteriorStages, AFixAfterALargerRegressionIsFound) {
  const Graph graph(test::linear_range(300));
  const auto strategy = make_posterior(graph);
  const Played played = test::play(*strategy, with_changes(graph, {{80, 0.4}, {200, -0.15}}), 3);
  EXPECT_EQ(played.conclusion.nodes, std::vector<Node>{80});
  ASSERT_EQ(played.conclusion.further.size(), 1U);
  EXPECT_EQ(played.conclusion.further[0].nodes, std::vector<Node>{200});
  EXPECT_FALSE(played.conclusion.further[0].before);
  EXPECT_NEAR(played.conclusion.further[0].delta, 0.15, 0.03);
}

TEST(PosteriorStages, TheProofIsInNumbers) {
  const Graph graph(test::linear_range(300));
  const auto strategy = make_posterior(graph);
  const Played played = test::play(*strategy, test::one_change(graph, 77, 0.1), 2);
  const Conclusion& end = played.conclusion;
  ASSERT_EQ(end.nodes, std::vector<Node>{77});
  EXPECT_NEAR(end.separation.value(), 0.1 / 0.02, 2);
  // By hand, from the last two boots of each: these ends are six ranges apart.
  double before = 0, after = 0;
  int parents = 0, culprits = 0;
  for (auto boot = played.evidence.boots.rbegin(); parents < 2 || culprits < 2; ++boot) {
    if (boot->node == 76 && parents++ < 2) before += boot->y / 2;
    if (boot->node == 77 && culprits++ < 2) after += boot->y / 2;
  }
  EXPECT_NEAR(end.verified.value(), after - before, 1e-12);
}

TEST(PosteriorStages, OneChangeIsNotSearchedOn) {
  const Graph graph(test::linear_range(300));
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto strategy = make_posterior(graph);
    const Played played = test::play(*strategy, test::one_change(graph, 77, 0.1), seed);
    EXPECT_TRUE(played.conclusion.further.empty()) << seed;
  }
}

TEST(PosteriorStages, TheBudgetHoldsForAllChangesTogether) {
  const Graph graph(test::linear_range(2000));
  PosteriorSettings settings;
  const World world = with_changes(graph, {{300, 0.06}, {1700, 0.04}});
  settings.most_boots = 100;
  const auto strategy = make_posterior(graph, settings);
  const Played played = test::play(*strategy, world, 5);
  EXPECT_LE(played.boots, 100);
}

/// A run that is resumed after any boot stands where the first one stood.
TEST(PosteriorStages, FromNothingTheSameAsStepByStep) {
  const Graph graph(test::linear_range(200));
  const auto strategy = make_posterior(graph);
  World world = with_changes(graph, {{60, 0.2}, {150, 0.1}});
  world.fails = [](Node node) { return node % 9 == 4 ? "does not build" : ""; };
  const Played whole = test::play(*strategy, world, 7);
  ASSERT_EQ(whole.conclusion.further.size(), 1U);
  // Played again, but every answer comes from a strategy that has just been made.
  struct Forgetful : Strategy {
    explicit Forgetful(const Graph& g) : graph(g) {}
    Action next(const Evidence& evidence) override { return make_posterior(graph)->next(evidence); }
    Conclusion give_up(const Evidence&, const std::string&) override { return {}; }
    Assessment assess(const Evidence&, Node) override { return {}; }
    Outlook outlook(const Evidence&) override { return {}; }
    const Graph& graph;
  } forgetful(graph);
  const Played again = test::play(forgetful, world, 7);
  EXPECT_EQ(again.order, whole.order);
  EXPECT_EQ(again.conclusion.further.at(0).nodes, whole.conclusion.further[0].nodes);
}

TEST(PosteriorStages, BootsAfterTheAnswerChangeNothing) {
  const Graph graph(test::linear_range(200));
  const auto strategy = make_posterior(graph);
  Played played = test::play(*strategy, test::one_change(graph, 60, 0.2), 7);
  ASSERT_EQ(played.conclusion.nodes, std::vector<Node>{60});
  const double now = played.evidence.boots.back().time_s;
  for (int i = 0; i < 12; ++i)
    played.evidence.boots.push_back({graph.bad(), 1, 0.3, now + 30.0 * (i + 1)});
  const Action still = strategy->next(played.evidence);
  ASSERT_TRUE(std::holds_alternative<Conclusion>(still));
  EXPECT_EQ(std::get<Conclusion>(still).nodes, std::vector<Node>{60});
  EXPECT_EQ(std::get<Conclusion>(still).confidence, played.conclusion.confidence);
}

}  // namespace
}  // namespace bisect_run::bisect
