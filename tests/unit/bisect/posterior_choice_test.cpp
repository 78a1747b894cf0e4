// The next action against a plain search over every action there is, each priced term by term by
// the table of statistics.md, section 8.

#include "bisect/posterior_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "bisect/posterior_model.h"
#include "stats/mutual_information.h"
#include "support/histories.h"

namespace bisect_run::bisect {
namespace {

/// A calibrated search after some boots, with kernels built ahead, failures and layouts.
struct Situation {
  Graph graph;
  PosteriorSettings settings;
  Evidence evidence;
  std::vector<Node> failures;

  Situation(const Range& range, std::mt19937_64& random, double effect, double noise, double luck)
      : graph(range) {
    settings.most_layouts = 1 + static_cast<std::uint32_t>(random() % 4);
    if (luck > 0) settings.prices.build_s = 10;  // or layouts are hardly ever worth a build
    std::normal_distribution<double> normal;
    const Node culprit = graph.boundary() + static_cast<Node>(random() % (graph.size() - 1));
    std::uint32_t builds = 2;
    double now = 0;
    std::map<std::uint32_t, double> luck_of;
    const auto boot = [&](Node node, std::uint32_t build) {
      if (build > 1 && !luck_of.contains(build)) luck_of[build] = luck * normal(random);
      const double level = graph.ancestors(node).contains(culprit) ? -effect : 0;
      evidence.boots.push_back(
          {node, build, level + luck_of[build] + noise * normal(random), now += 100});
    };
    for (int i = 0; i < 40; ++i) boot(i % 2 == 0 ? graph.good() : graph.bad(), i % 2 == 0 ? 0 : 1);
    for (int probe = 0; probe < 4; ++probe) {
      const Node node = inner(random);
      for (int layout = static_cast<int>(random() % 2); layout >= 0; --layout, ++builds)
        for (int i = static_cast<int>(random() % 9); i >= 0; --i) boot(node, builds);
    }
    for (int i = static_cast<int>(random() % 3); i > 0; --i)
      evidence.built.push_back(inner(random));
    for (int i = static_cast<int>(random() % 2); i > 0; --i) failures.push_back(inner(random));
  }

 private:
  Node inner(std::mt19937_64& random) const {
    return graph.boundary() + static_cast<Node>(random() % (graph.size() - graph.boundary() - 1));
  }
};

struct Best {
  double rate = 0;
  Node node = 0;
  std::uint32_t layout = 0;

  void offer(double new_rate, Node of, std::uint32_t with = 0) {
    if (new_rate > rate) *this = {new_rate, of, with};
  }
};

double bits(double p, double x) {
  return stats::mutual_information(p, x);
}

/// P(bad) of every node, class by class and member by member; only of classes worth a look.
std::vector<double> suspicions(const Graph& graph, const PosteriorModel& model) {
  std::vector<double> bad(graph.size(), 0);
  for (std::size_t k = 0; k < model.classes().size(); ++k) {
    const auto& in = model.classes()[k];
    if (model.belief().mass[k] <= 1e-4) continue;
    for (Node node = 0; node < graph.size(); ++node) {
      const NodeSet ancestors = graph.ancestors(node);
      for (Node member : in.commits)
        if (ancestors.contains(member))
          bad[node] += model.belief().mass[k] / static_cast<double>(in.commits.size());
    }
  }
  return bad;
}

Best by_hand(const Situation& at, const PosteriorModel& model) {
  const std::vector<double> bad = suspicions(at.graph, model);
  const double delta = std::abs(model.belief().change), u2 = model.belief().sigma_u2;
  const double s = 1.1 * model.belief().sigma2;
  const double build_s = at.settings.prices.build_s, boot_s = at.settings.prices.boot_s;
  const SkipRisk risk(at.graph, at.failures);
  const auto is_in = [](const std::vector<Node>& nodes, Node node) {
    return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
  };
  std::set<Node> probed;
  for (const Observation& boot : at.evidence.boots) probed.insert(boot.node);
  Best best;
  for (std::size_t k = 0; k < model.classes().size(); ++k) {
    if (model.belief().mass[k] <= 1e-4) continue;
    for (Node node : model.classes()[k].commits) {
      if (probed.contains(node) || is_in(at.failures, node)) continue;
      const double f = risk(node);
      for (int q = 1; q <= 8; ++q)
        best.offer((1 - f) * bits(bad[node], delta / std::sqrt(s / q + u2)) /
                       (build_s + (1 - f) * q * boot_s),
                   node);
    }
  }
  for (Node node : at.evidence.built)
    if (!probed.contains(node) && !is_in(at.failures, node))
      best.offer(bits(bad[node], delta / std::sqrt(s + u2)) / boot_s, node);
  std::map<Node, std::map<std::uint32_t, int>> boots_of;  // by node and build
  for (const Observation& boot : at.evidence.boots) ++boots_of[boot.node][boot.build];
  for (const auto& [node, builds] : boots_of) {
    if (node == at.graph.good() || node == at.graph.bad() || is_in(at.failures, node)) continue;
    std::uint32_t layout = 0;
    for (const auto& [build, n] : builds)
      best.offer(
          bits(bad[node], delta * std::sqrt(1 / (s / (n + 1) + u2) - 1 / (s / n + u2))) / boot_s,
          node, layout++);
    for (int q = 1; q <= 6 && layout < at.settings.most_layouts; ++q)
      best.offer(bits(bad[node], delta / std::sqrt(s / q + u2)) / (build_s + q * boot_s), node,
                 layout);
  }
  return best;
}

void expect_the_best(const Situation& at, int& fresh, int& again, int& layouts) {
  PosteriorModel model(at.graph, at.settings, Classes(at.graph, {}));
  for (const BootFact& boot : boot_facts(at.evidence)) model.add(boot);
  if (model.calibration().state() != Calibration::State::apart) return;
  const std::size_t heaviest = model.belief().heaviest();
  if (model.belief().mass[heaviest] >= 0.99) return;  // another rule
  const SkipRisk risk(at.graph, at.failures);
  Choice choice(at.graph, at.settings, model, risk, at.evidence);
  const BootNode action = choice.best();
  const Best expected = by_hand(at, model);
  EXPECT_EQ(action.node, expected.node) << action.why;
  EXPECT_EQ(action.layout, expected.layout) << action.why;
  fresh += action.why.starts_with("untried") ? 1 : 0;
  again += action.why.starts_with("one more boot") ? 1 : 0;
  layouts += action.why.starts_with("another code layout") ? 1 : 0;
}

TEST(PosteriorChoice, IsTheBestOfAllActions) {
  std::mt19937_64 random(21);
  int fresh = 0, again = 0, layouts = 0;
  for (int round = 0; round < 150; ++round) {
    const double effect = 0.02 + 0.02 * (round % 3);
    const auto range = test::linear_range(40);
    expect_the_best(Situation(range, random, effect, 0.02, 0), fresh, again, layouts);
    // The boots of each kernel agree, and the kernels do not.
    expect_the_best(Situation(range, random, effect, 0.005, 0.02), fresh, again, layouts);
  }
  EXPECT_GT(fresh, 0);
  EXPECT_GT(again, 0);
  EXPECT_GT(layouts, 0);
}

}  // namespace
}  // namespace bisect_run::bisect
