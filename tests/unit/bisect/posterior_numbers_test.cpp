// The posterior engine fed with numbers that no lab should give.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bisect/posterior.h"
#include "support/histories.h"
#include "support/simulated_lab.h"

namespace bisect_run::bisect {
namespace {

using test::one_change;
using test::Played;
using test::World;
using Kind = Conclusion::Kind;

// Whatever the numbers: an end, and nothing but numbers in it.
TEST(PosteriorNumbers, AbsurdNumbersEndInAnAnswer) {
  const Graph graph(test::linear_range(30));
  const double inf = std::numeric_limits<double>::infinity();
  for (double effect : {1e-300, 1e-6, 1e-3, 0.05, 50.0, 1e6, inf})
    for (double noise : {0.0, 1e-300, 1e-9, 0.3, 1e6}) {
      World world = one_change(graph, 9, effect, noise);
      const auto base = world.level;
      world.level = [base, boot = 0](Node node, double time) mutable {
        return ++boot % 11 == 0 ? std::nan("") : base(node, time);
      };
      PosteriorSettings settings;
      settings.most_boots = 60;
      const auto strategy = make_posterior(graph, settings);
      const Played played = test::play(*strategy, world, 1, 400);
      if (effect == inf) continue;  // void boots for ever: nothing to conclude from
      EXPECT_EQ(played.conclusion.reason.find("no conclusion"), std::string::npos)
          << effect << " " << noise;
      for (const auto& value :
           {played.conclusion.delta, played.conclusion.delta_low, played.conclusion.delta_high,
            played.conclusion.confidence, played.conclusion.two_changes})
        EXPECT_TRUE(std::isfinite(value.value_or(0))) << effect << " " << noise;
    }
}

TEST(PosteriorNumbers, NineHundredBoots) {
  const Graph graph(test::linear_range(64));
  PosteriorSettings settings;
  settings.most_boots = 900;
  settings.accept = 2;  // never
  const auto strategy = make_posterior(graph, settings);
  Evidence evidence;
  for (int boot = 0; boot < 900; ++boot) {
    const Node node = boot % 3 == 0 ? 0 : (boot % 3 == 1 ? 64 : 32);
    evidence.boots.push_back({node, node, node == 0 ? 0.0 : -0.05, 30.0 * boot});
  }
  const Action action = strategy->next(evidence);
  ASSERT_TRUE(std::holds_alternative<Conclusion>(action));
  const auto& conclusion = std::get<Conclusion>(action);
  EXPECT_EQ(conclusion.kind, Kind::set);
  EXPECT_NEAR(conclusion.delta.value(), -0.05, 1e-3);
  for (Node node : conclusion.nodes) EXPECT_LE(node, 32U);
}

TEST(PosteriorNumbers, RandomEvidenceNeverBreaksAnything) {
  const Graph graph(test::linear_range(40));
  std::mt19937_64 random(17);
  const double odd[] = {0, -0.0, 1e-320, 1e308, -1e308, 745, std::nan(""), HUGE_VAL, -HUGE_VAL};
  for (int round = 0; round < 60; ++round) {
    Evidence evidence;
    const int boots = static_cast<int>(random() % 60);
    for (int boot = 0; boot < boots; ++boot) {
      const Node node = boot < 12 ? (boot % 2 ? 40 : 0) : static_cast<Node>(random() % 41);
      const bool strange = random() % 6 == 0;
      const double y =
          strange ? odd[random() % 9] : (node > 20 ? -0.1 : 0) + 0.001 * double(random() % 40);
      const double time = random() % 9 == 0 ? odd[random() % 9] : 30.0 * boot;
      evidence.boots.push_back(
          {node, static_cast<std::uint32_t>(random() % 3 ? node : 7), y, time});
    }
    if (random() % 3 == 0) evidence.skipped.push_back({static_cast<Node>(random() % 41), "no"});
    if (random() % 3 == 0) evidence.built.push_back(static_cast<Node>(random() % 41));
    const auto strategy = make_posterior(graph);
    const Action action = strategy->next(evidence);
    if (const auto* end = std::get_if<Conclusion>(&action)) {
      EXPECT_TRUE(std::isfinite(end->delta.value_or(0)));
      EXPECT_TRUE(std::isfinite(end->confidence.value_or(0)));
    } else {
      EXPECT_LT(std::get<BootNode>(action).node, graph.size());
    }
    const Strategy::Outlook outlook = strategy->outlook(evidence);
    EXPECT_TRUE(std::isfinite(outlook.builds) && outlook.builds >= 0) << round;
    EXPECT_TRUE(std::isfinite(outlook.boots) && outlook.boots >= 0) << round;
    for (Node node = 0; node < graph.size(); ++node)
      EXPECT_FALSE(strategy->assess(evidence, node).reason.empty());
  }
}

}  // namespace
}  // namespace bisect_run::bisect
