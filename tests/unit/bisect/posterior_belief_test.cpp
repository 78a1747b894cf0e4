#include "bisect/posterior_belief.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "support/dense.h"
#include "support/histories.h"

namespace bisect_run::bisect {
namespace {

using test::Matrix;
using test::Vector;

/// Two boots of each end and of four random commits of a small history.
struct Lab {
  Graph graph;
  Classes classes;
  std::vector<std::vector<Node>> build_nodes;
  std::vector<std::size_t> build;
  Vector y, time;
  std::vector<stats::Whitened> cells;

  Lab(const Range& range, std::mt19937_64& random, Node culprit)
      : graph(range), classes(graph, {}) {
    for (const stats::NoiseCell& cell : stats::noise_grid()) cells.emplace_back(cell);
    std::vector<Node> nodes{graph.good(), graph.bad()};
    while (nodes.size() < 6) {
      const Node node = static_cast<Node>(random() % graph.size());
      if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
    }
    std::normal_distribution<double> normal;
    for (Node node : nodes) {
      classes.split(node);
      build_nodes.push_back({node});
      const double level = graph.ancestors(node).contains(culprit) ? -0.03 : 0;
      for (int boot = 0; boot < 2; ++boot) {
        y.push_back(level + 0.02 * normal(random));
        time.push_back(150.0 * static_cast<double>(y.size()));
        build.push_back(build_nodes.size() - 1);
        for (stats::Whitened& cell : cells) cell.append(y.back(), time.back(), build.back(), 1);
      }
    }
  }

  Vector step(Node culprit) const {
    Vector s;
    for (std::size_t b : build)
      s.push_back(graph.ancestors(build_nodes[b].front()).contains(culprit) ? 1 : 0);
    return s;
  }
};

/// Likelihoods in one cell by dense matrices.
class Oracle {
 public:
  Oracle(const Lab& lab, const stats::NoiseCell& cell, const stats::Prior& prior)
      : lab_(lab), cell_(cell), prior_(prior), v_(lab.y.size(), Vector(lab.y.size(), 0)) {
    for (std::size_t i = 0; i < lab.y.size(); ++i)
      for (std::size_t j = 0; j < lab.y.size(); ++j)
        v_[i][j] = (i == j ? 1 : 0) + (lab.build[i] == lab.build[j] ? cell.rho_u : 0) +
                   cell.rho_q * std::min(lab.time[i], lab.time[j]);
  }
  /// Up to a factor common to all hypotheses and cells.
  double mass(const Matrix& steps) const {
    Matrix m = test::plus_outer(v_, prior_.k_mu, Vector(lab_.y.size(), 1));
    for (const Vector& s : steps) m = test::plus_outer(m, prior_.kappa, s);
    const auto solved = test::solve(m, lab_.y);
    const double a = prior_.a0 + static_cast<double>(lab_.y.size()) / 2;
    return std::exp(cell_.log_weight - 0.5 * solved.log_det -
                    a * std::log((prior_.b0 + 0.5 * test::dot(lab_.y, solved.x)) / 1e-2));
  }
  /// Level and sizes of the steps by generalised least squares with priors.
  Vector estimates(const Matrix& steps) const {
    Matrix columns{Vector(lab_.y.size(), 1)};
    columns.insert(columns.end(), steps.begin(), steps.end());
    Matrix normal(columns.size(), Vector(columns.size(), 0));
    Vector right(columns.size(), 0);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const Vector by = test::solve(v_, columns[i]).x;
      right[i] = test::dot(by, lab_.y);
      for (std::size_t j = 0; j < columns.size(); ++j) normal[i][j] = test::dot(by, columns[j]);
      normal[i][i] += i == 0 ? 1 / prior_.k_mu : 1 / prior_.kappa;
    }
    return test::solve(normal, right).x;
  }

 private:
  const Lab& lab_;
  stats::NoiseCell cell_;
  stats::Prior prior_;
  Matrix v_;
};

void add_singles(const Lab& lab, const Oracle& oracle, Vector& mass) {
  for (std::size_t k = 0; k < mass.size(); ++k)
    for (Node commit : lab.classes[k].commits)
      mass[k] += 0.9 / lab.classes.total_weight() * oracle.mass({lab.step(commit)});
}

void add_pairs(const Lab& lab, const Oracle& oracle, const std::vector<bool>& leads, Vector& mass) {
  const auto& classes = lab.classes;
  const double n = classes.total_weight();
  for (std::size_t j = 0; j < leads.size(); ++j)
    for (std::size_t k = j + 1; k < leads.size(); ++k) {
      if (!leads[j] && !leads[k]) continue;
      const Matrix steps{lab.step(classes[j].commits.front()),
                         lab.step(classes[k].commits.front())};
      const Vector sizes = oracle.estimates(steps);
      if (sizes[1] * sizes[2] < 0) continue;
      const double pairs =
          static_cast<double>(classes[j].commits.size() * classes[k].commits.size());
      const std::size_t owner = std::abs(sizes[1]) >= std::abs(sizes[2]) ? j : k;
      mass[owner] += 0.1 * 2 * pairs / (n * n) * oracle.mass(steps);
    }
}

/// Every commit and every pair of commits in different classes by itself, as defined.
void expect_as_defined(const Lab& lab) {
  const stats::Prior prior;
  Vector singles(lab.classes.size(), 0);
  for (const stats::NoiseCell& cell : stats::noise_grid())
    add_singles(lab, Oracle(lab, cell, prior), singles);
  double total = 0;
  for (double mass : singles) total += mass;
  std::vector<bool> leads;
  for (double mass : singles) leads.push_back(!lab.graph.has_merges() || mass / total > 1e-3);
  Vector all = singles;
  for (const stats::NoiseCell& cell : stats::noise_grid())
    add_pairs(lab, Oracle(lab, cell, prior), leads, all);
  double with_pairs = 0;
  for (double mass : all) with_pairs += mass;

  const Belief belief = believe({lab.classes, lab.cells, lab.build_nodes, prior});
  for (std::size_t k = 0; k < all.size(); ++k)
    EXPECT_NEAR(belief.mass[k], all[k] / with_pairs, 1e-6);
  EXPECT_NEAR(belief.two_changes, 1 - total / with_pairs, 1e-6);
}

TEST(PosteriorBelief, EveryCommitAndPairOfALineByDenseMatrices) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 8; ++round)
    expect_as_defined(Lab(test::linear_range(25), random, 1 + static_cast<Node>(random() % 25)));
}

TEST(PosteriorBelief, EveryCommitAndPairOfAHistoryWithMergesByDenseMatrices) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 8; ++round)
    expect_as_defined(
        Lab(test::random_range(random, 30, 0.3), random, 1 + static_cast<Node>(random() % 20)));
}

/// The same beside a change that is known: every hypothesis has its step as well, and there may be
/// no further one.
void expect_further_as_defined(const Lab& lab, Node known) {
  const stats::Prior prior;
  const auto& classes = lab.classes;
  const double n = classes.total_weight();
  Vector mass(classes.size(), 0);
  double nothing = 0;
  for (const stats::NoiseCell& cell : stats::noise_grid()) {
    const Oracle oracle(lab, cell, prior);
    const Vector first = lab.step(known);
    nothing += 0.9 * oracle.mass({first});
    for (std::size_t j = 0; j < classes.size(); ++j) {
      if (classes[j].members.contains(known)) continue;
      const double size_j = static_cast<double>(classes[j].commits.size());
      const Vector step_j = lab.step(classes[j].commits.front());
      mass[j] += 0.1 * 0.9 * size_j / n * oracle.mass({first, step_j});
      for (std::size_t k = j + 1; k < classes.size(); ++k) {
        if (classes[k].members.contains(known)) continue;
        const Matrix steps{first, step_j, lab.step(classes[k].commits.front())};
        const Vector sizes = oracle.estimates(steps);
        if (sizes[2] * sizes[3] < 0) continue;
        const double size_k = static_cast<double>(classes[k].commits.size());
        mass[std::abs(sizes[2]) >= std::abs(sizes[3]) ? j : k] +=
            0.1 * 0.1 * 2 * size_j * size_k / (n * n) * oracle.mass(steps);
      }
    }
  }
  double total = nothing;
  for (double of_class : mass) total += of_class;
  const Belief belief = believe({classes, lab.cells, lab.build_nodes, prior, {known}});
  EXPECT_NEAR(belief.nothing, nothing / total, 1e-6);
  for (std::size_t k = 0; k < mass.size(); ++k) EXPECT_NEAR(belief.mass[k], mass[k] / total, 1e-6);
}

TEST(PosteriorBelief, AFurtherChangeByDenseMatrices) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 8; ++round) {
    const Node known = 1 + static_cast<Node>(random() % 25);
    expect_further_as_defined(Lab(test::linear_range(25), random, known), known);
  }
}

TEST(PosteriorBelief, SizesOfSeveralChangesAtOnce) {
  std::mt19937_64 random(5);
  const stats::Prior prior;
  for (int round = 0; round < 8; ++round) {
    const Lab lab(test::random_range(random, 30, 0.3), random, 7);
    const std::size_t cell = random() % lab.cells.size();
    const std::vector<Node> changes{5, 12, 20};
    Matrix steps;
    for (Node change : changes) steps.push_back(lab.step(change));
    const Vector expected = Oracle(lab, lab.cells[cell].cell(), prior).estimates(steps);
    const auto sizes = sizes_of({lab.classes, lab.cells, lab.build_nodes, prior}, cell, changes);
    for (std::size_t i = 0; i < changes.size(); ++i)
      EXPECT_NEAR(sizes[i].delta, expected[i + 1], 1e-8);
  }
}

TEST(PosteriorBelief, OneKernelHasOneLevel) {
  // Commits 10 and 20 build the same kernel: the change does not lie between them.
  const Graph graph(test::linear_range(30));
  Classes classes(graph, {});
  for (Node node : {0U, 30U, 10U, 20U}) classes.split(node);
  std::vector<stats::Whitened> cells;
  for (const stats::NoiseCell& cell : stats::noise_grid()) cells.emplace_back(cell);
  for (auto& cell : cells) {
    for (int i = 0; i < 4; ++i) {
      cell.append(0, 60.0 * i, 0, 1);
      cell.append(-0.05, 60.0 * i + 30, 1, 1);
    }
    cell.append(-0.025, 300, 2, 1);
  }
  const std::vector<std::vector<Node>> nodes{{0}, {30}, {10, 20}};
  const Belief belief = believe({classes, cells, nodes, {}});
  double between = 0;
  for (std::size_t k = 0; k < classes.size(); ++k)
    if (classes[k].members.contains(15)) between += belief.mass[k];
  EXPECT_LT(between, 1e-4);
}

}  // namespace
}  // namespace bisect_run::bisect
