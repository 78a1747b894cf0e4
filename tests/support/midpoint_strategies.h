#pragma once

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "support/bisect_contest.h"
#include "support/known_levels.h"

// What our strategies are compared with, on linear histories only: plain bisection with one or k
// boots a step against the middle of the ends, and the sequential test against known levels.

namespace bisect_run::test {

inline double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Bisects positions; `is_bad` boots a built commit until it has a verdict. After a failure it
/// tries again round the middle, at U^1.5 of half the range on either side.
template <class IsBad>
RunResult bisect_positions(BisectWorld& world, Node last, IsBad is_bad) {
  Node good = 0, bad = last;
  std::set<Node> failed;
  while (bad - good > 1) {
    Node at = good + (bad - good) / 2;
    bool tried_all = false;
    for (int attempt = 0; failed.contains(at) && !tried_all; ++attempt) {
      const double half = (bad - good) / 2.0;
      const double away = std::pow(world.uniform(), 1.5) * half * (world.uniform() < 0.5 ? -1 : 1);
      const double place = std::clamp(good + half + away, good + 1.0, bad - 1.0);
      at = static_cast<Node>(place);
      const auto broken = static_cast<std::size_t>(
          std::distance(failed.upper_bound(good), failed.lower_bound(bad)));
      tried_all = broken >= bad - good - 1;
    }
    if (tried_all) break;
    if (!world.build(at)) {
      failed.insert(at);
      continue;
    }
    (is_bad(at) ? bad : good) = at;
  }
  return ended(world, good, bad);
}

/// A: what a person does by hand: three boots of each end, then one sample a step.
inline RunResult play_once(BisectWorld& world, Node last) {
  world.build(0);
  world.build(last);
  std::vector<double> good, bad;
  for (int i = 0; i < 3; ++i) good.push_back(world.single_sample(0));
  for (int i = 0; i < 3; ++i) bad.push_back(world.single_sample(last));
  const double middle = (median_of(good) + median_of(bad)) / 2;
  return bisect_positions(world, last,
                          [&](Node node) { return world.single_sample(node) < middle; });
}

/// Bk: k boots a step, their median against the middle of the medians of max(5, k) boots an end.
inline RunResult play_repeated(BisectWorld& world, Node last, int boots) {
  world.build(0);
  world.build(last);
  const auto many = [&](Node node, int count) {
    std::vector<double> values;
    for (int i = 0; i < count; ++i) values.push_back(world.boot(node));
    return median_of(values);
  };
  const double good = many(0, std::max(5, boots));
  const double middle = (good + many(last, std::max(5, boots))) / 2;
  return bisect_positions(world, last, [&](Node node) { return many(node, boots) < middle; });
}

/// C: five pairs of the ends in ABBA order, then a sequential test of 2 to 20 boots a step. With
/// `controls` (Cc) each boot follows one of an end, and what that is off its level is taken off.
inline RunResult play_sequential(BisectWorld& world, Node last, bool controls = false) {
  const KnownLevels levels = know_levels(world, last);
  Controls control(last, levels);
  const double middle = (levels.good + levels.bad) / 2;
  const double variance = (controls ? 2 * 1.1 : 1.2) * levels.variance;
  const double share = 0.01 / std::ceil(std::log2(last));
  const double limit = std::log((1 - share) / share);
  return bisect_positions(world, last, [&](Node node) {
    double odds = 0;
    for (int boot = 1; boot <= 20; ++boot) {
      const double offset = controls ? control.boot(world) : 0;
      odds += (levels.bad - levels.good) * (world.boot(node) - offset - middle) / variance;
      if (boot >= 2 && std::abs(odds) > limit) break;
    }
    return odds > 0;
  });
}

}  // namespace bisect_run::test
