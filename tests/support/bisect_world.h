#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "bisect/graph.h"
#include "support/histories.h"

// The world of the decision benchmark: commits with levels, a machine that drifts, kernels with
// lucky and unlucky layouts, boots with skewed samples, stretches that do not build.

namespace bisect_run::test {

using bisect::Node;

struct WorldOptions {
  std::uint32_t commits = 1024;
  double effect = 0.05;  ///< the bad side is (1 + effect) times slower; 0: no difference
  int samples = 5;       ///< per boot; the median counts
  double boot_sd = 0.02;
  double sample_sd = 0.035;
  double slow_share = 0.05;    ///< of samples, that take half as long again
  double drift = 0.05;         ///< standard deviation over 8 hours
  double layout = 0;           ///< standard deviation of a build
  double bad_boots = 0;        ///< share of boots that are 10 % slower as a whole
  double failures = 0;         ///< share of commits that do not build, in stretches of about 30
  bool two_changes = false;    ///< 0.6 and 0.4 of the effect at two commits
  bool three_changes = false;  ///< 0.5, 0.3 and 0.2 of the effect
  bool fix_regress = false;    ///< regressed, fixed, regressed again
  bool dag = false;            ///< a history with merges
  double build_s = 240;
  double boot_s = 30;
};

/// A history with merges like the kernel's: topic branches of about `length_mean` commits from
/// about 60 mainline commits back, with side branches.
inline Range branching_range(std::mt19937_64& random, std::uint32_t commits,
                             double length_mean = 18) {
  const auto chance = [&] { return std::uniform_real_distribution<double>()(random); };
  const auto exponential = [&] { return -std::log(1 - chance()); };
  ParentLists parents(1);
  std::vector<std::uint32_t> mainline{0};
  const auto add = [&](std::vector<std::uint32_t> of) {
    parents.push_back(std::move(of));
    return static_cast<std::uint32_t>(parents.size() - 1);
  };
  while (parents.size() < commits) {
    if (chance() < 0.25) {
      mainline.push_back(add({mainline.back()}));
      continue;
    }
    const auto back =
        std::min<std::size_t>(static_cast<std::size_t>(60 * exponential()), mainline.size() - 1);
    std::uint32_t tip = mainline[mainline.size() - 1 - back];
    std::vector<std::uint32_t> branch;
    const int length = 1 + static_cast<int>(length_mean * exponential());
    for (int i = 0; i < length; ++i) {
      branch.push_back(tip = add({tip}));
      if (branch.size() <= 4 || chance() >= 0.03) continue;
      std::uint32_t side =
          branch[static_cast<std::size_t>(chance() * static_cast<double>(branch.size()))];
      const int side_length = 1 + static_cast<int>(8 * exponential());
      for (int j = 0; j < side_length; ++j) side = add({side});
      branch.push_back(tip = add({tip, side}));
    }
    mainline.push_back(add({mainline.back(), tip}));
  }
  add({mainline.back()});
  return make_range(std::move(parents));
}

class BisectWorld {
 public:
  BisectWorld(const WorldOptions& options, const bisect::Graph& graph, std::uint64_t seed)
      : options_(options), random_(seed), level_(graph.size(), 0), fails_(graph.size(), false) {
    const double change = -std::log1p(options.effect);
    if (options.fix_regress) {
      std::vector<Node> at;
      while (at.size() < 3) at.push_back(pick(graph));
      std::sort(at.begin(), at.end());
      place(graph, at[0], change);
      place(graph, at[1], -change);
      place(graph, at[2], change);
      right_ = {at[0], at[2]};
      changes_ = at;
    } else if (options.two_changes || options.three_changes) {
      const std::vector<double> shares =
          options.two_changes ? std::vector{0.6, 0.4} : std::vector{0.5, 0.3, 0.2};
      for (double share : shares) {
        Node node = pick(graph);
        while (std::find(changes_.begin(), changes_.end(), node) != changes_.end())
          node = pick(graph);
        place(graph, node, share * change);
        changes_.push_back(node);
      }
      right_ = {changes_.front()};
    } else {
      const Node culprit = pick(graph);
      if (options.effect != 0) right_ = {culprit};
      place(graph, culprit, change);
      changes_ = right_;
    }
    break_stretches(graph);
  }

  /// Takes the time of a build; false if it failed.
  bool build(Node node) {
    ++builds;
    pass(options_.build_s);
    return !fails_[node];
  }
  /// One boot of a kernel of the node: y of each sample.
  std::vector<double> boot_samples(Node node, std::uint32_t layout = 0) {
    ++boots;
    pass(options_.boot_s);
    const auto [luck, fresh] = luck_.try_emplace({node, layout}, 0.0);
    if (fresh) luck->second = options_.layout * normal();
    double mean = level_[node] + drift_ + options_.boot_sd * normal() + luck->second;
    if (options_.bad_boots > 0 && uniform() < options_.bad_boots) mean -= 0.10;
    std::vector<double> samples;
    for (int i = 0; i < options_.samples; ++i) samples.push_back(sample(mean));
    return samples;
  }
  /// The median of them.
  double boot(Node node, std::uint32_t layout = 0) {
    std::vector<double> samples = boot_samples(node, layout);
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::nth_element(samples.begin(), middle, samples.end());
    if (samples.size() % 2 == 1) return *middle;
    return (*middle + *std::max_element(samples.begin(), middle)) / 2;
  }
  double single_sample(Node node) {
    const int samples = std::exchange(options_.samples, 1);
    const double y = boot(node);
    options_.samples = samples;
    return y;
  }

  double uniform() { return std::uniform_real_distribution<double>()(random_); }
  double now() const { return now_; }
  const WorldOptions& options() const { return options_; }
  double cost() const { return options_.build_s * builds + options_.boot_s * boots; }
  bool right(Node node) const {
    return std::find(right_.begin(), right_.end(), node) != right_.end();
  }
  const std::vector<Node>& culprits() const { return right_; }
  /// All commits that change the level, the larger change first.
  const std::vector<Node>& changes() const { return changes_; }
  /// A further build beside another one: costs a build, but no time.
  bool build_beside(Node node) {
    ++builds;
    return !fails_[node];
  }

  int builds = 0;
  int boots = 0;

 private:
  double normal() { return normal_(random_); }
  Node pick(const bisect::Graph& graph) {
    return std::uniform_int_distribution<Node>(graph.boundary(), graph.bad())(random_);
  }
  void place(const bisect::Graph& graph, Node culprit, double change) {
    std::vector<bool> has(graph.size(), false);
    has[culprit] = true;
    for (Node node = culprit; node < graph.size(); ++node) {
      for (Node parent : graph.parents(node)) has[node] = has[node] || has[parent];
      if (has[node]) level_[node] += change;
    }
  }
  void break_stretches(const bisect::Graph& graph) {
    if (options_.failures <= 0) return;
    const double last = graph.bad() - 1;
    const double count = std::max(1.0, std::round(options_.failures * last / 30));
    for (int i = 0; i < static_cast<int>(count); ++i) {
      const auto start = std::uniform_int_distribution<Node>(1, graph.bad() - 1)(random_);
      const double length = std::floor(-30 * std::log(1 - uniform()));
      const Node end = static_cast<Node>(std::min<double>(start + length, last));
      for (Node node = start; node <= end; ++node) fails_[node] = true;
    }
  }
  void pass(double seconds) {
    now_ += seconds;
    drift_ += normal() * options_.drift * std::sqrt(seconds / 28800);
  }
  double sample(double mean) {
    const double l = std::exp(0.125);
    const double v = l * std::sqrt(std::exp(0.25) - 1);
    double x = mean - (std::exp(0.5 * normal()) - l) / v * options_.sample_sd;
    if (uniform() < options_.slow_share) x -= std::log(1.5);
    return x;
  }

  WorldOptions options_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::vector<double> level_;
  std::vector<bool> fails_;
  std::vector<Node> right_, changes_;
  std::map<std::pair<Node, std::uint32_t>, double> luck_;
  double now_ = 0;
  double drift_ = 0;
};

}  // namespace bisect_run::test
