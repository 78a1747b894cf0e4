#include "bisect/three_way_levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stats/distributions.h"

namespace bisect_run::bisect {
namespace {

constexpr double kPriorSd = 0.02;  // of one boot, worth kPriorBoots boots
constexpr double kPriorBoots = 2;
constexpr double kLookP = 0.002;       // two-sided, at every look
constexpr double kRefuseErrors = 2.6;  // 99 % one-sided and a little
constexpr double kEarlyGap = 10;       // standard deviations between the ends at the first look
constexpr double kOneBoot = 0.6;       // share of the limit that one boot may add
constexpr double kCaution = 1.2;       // the levels are estimates: more variance in the test

struct Side {
  double mean = 0;
  double squares = 0;
};

Side summarise(const Boots& boots, std::size_t count) {
  Side side;
  for (std::size_t i = 0; i < count; ++i) side.mean += boots[i].y / static_cast<double>(count);
  for (std::size_t i = 0; i < count; ++i)
    side.squares += (boots[i].y - side.mean) * (boots[i].y - side.mean);
  return side;
}

double percent(double delta) {
  return 100 * std::expm1(delta);
}

std::string found(const EndsTest& test, double half_width) {
  return fmt::format(
      "BAD against GOOD: {:+.2f} %, 95 % interval {:+.2f} to {:+.2f} %, {} boots each",
      percent(test.delta), percent(test.delta - half_width), percent(test.delta + half_width),
      test.pairs);
}

void refuse(EndsTest& test, std::string why) {
  test.state = EndsTest::State::refused;
  test.reason = std::move(why);
}

/// One look at the first `pairs` boots of each end.
EndsTest look(const Boots& good, const Boots& bad, std::size_t pairs, bool first,
              const ThreeWaySettings& settings) {
  EndsTest test;
  test.pairs = pairs;
  const Side g = summarise(good, pairs);
  const Side b = summarise(bad, pairs);
  const double n = static_cast<double>(pairs);
  const double freedom = 2 * (n - 1);
  const double variance =
      (g.squares + b.squares + kPriorBoots * kPriorSd * kPriorSd) / (freedom + kPriorBoots);
  test.delta = b.mean - g.mean;
  test.error = std::sqrt(variance * 2 / n);
  const double size = std::abs(test.delta);
  const double half_width = test.error * stats::student_quantile(0.975, freedom).value_or(1e9);
  if (!first && size + kRefuseErrors * test.error < settings.min_effect) {
    refuse(test,
           fmt::format("no difference of {:.3g} % or more between the ends. {}. A smaller one "
                       "needs a smaller --min-effect",
                       100 * settings.min_effect, found(test, half_width)));
    return test;
  }
  const double needed = stats::student_quantile(1 - kLookP / 2, freedom).value_or(1e9);
  const bool wide = !first || size >= kEarlyGap * std::sqrt(variance);
  if (wide && size > needed * test.error) {
    test.state = EndsTest::State::apart;
    if (test.delta > 0)
      refuse(test,
             fmt::format("BAD is not worse than GOOD but better. {}. If that change is the one "
                         "sought, use --find-fix",
                         found(test, half_width)));
    return test;
  }
  if (pairs >= static_cast<std::size_t>(settings.most_pairs)) {
    const double boots =
        std::ceil(2 * variance * std::pow(needed / std::max(size, settings.min_effect), 2));
    refuse(test,
           fmt::format("the ends cannot be told apart within {} boots each. {}. One boot varies "
                       "by {:.2f} %, so a difference of that size would need about {:.0f} boots "
                       "each, or a quieter machine",
                       pairs, found(test, half_width), 100 * std::sqrt(variance), boots));
  }
  return test;
}

std::size_t next_look(std::size_t pairs, const ThreeWaySettings& settings) {
  if (pairs == 0) return static_cast<std::size_t>(std::max(2, settings.first_pairs));
  return pairs < 5 ? 5 : pairs + 3;
}

}  // namespace

EndsTest test_ends(const Boots& good, const Boots& bad, const ThreeWaySettings& settings) {
  const std::size_t available = std::min(good.size(), bad.size());
  const auto most = static_cast<std::size_t>(settings.most_pairs);
  EndsTest test;
  test.pairs = available;
  for (std::size_t pairs = next_look(0, settings);; pairs = next_look(pairs, settings)) {
    pairs = std::min(pairs, most);
    if (pairs > available) return test;
    const EndsTest seen = look(good, bad, pairs, pairs < 5, settings);
    if (seen.state != EndsTest::State::more) return seen;
    test.delta = seen.delta;
    test.error = seen.error;
  }
}

namespace {

struct Control {
  double time_s = 0;
  double shift = 0;
};

std::vector<Control> controls_of(const Boots& good, const Boots& bad, std::size_t pairs,
                                 double mean_good, double mean_bad) {
  std::vector<Control> controls;
  for (std::size_t i = pairs; i < good.size(); ++i)
    controls.push_back({good[i].time_s, good[i].y - mean_good});
  for (std::size_t i = pairs; i < bad.size(); ++i)
    controls.push_back({bad[i].time_s, bad[i].y - mean_bad});
  std::stable_sort(controls.begin(), controls.end(),
                   [](const Control& a, const Control& b) { return a.time_s < b.time_s; });
  return controls;
}

double mean_time(const Boots& good, const Boots& bad, std::size_t pairs) {
  double sum = 0;
  for (std::size_t i = 0; i < pairs; ++i) sum += good[i].time_s + bad[i].time_s;
  return sum / static_cast<double>(2 * pairs);
}

/// Groups controls made shortly after one another into one knot each, and keeps them only if one
/// stands out.
void follow_drift(Levels& levels, const std::vector<Control>& controls, std::size_t pairs,
                  const ThreeWaySettings& settings) {
  bool stands_out = false;
  for (std::size_t begin = 0, end = 0; begin < controls.size(); begin = end) {
    double time = 0, shift = 0;
    while (end < controls.size() &&
           controls[end].time_s - controls[begin].time_s < settings.control_s / 2) {
      time += controls[end].time_s;
      shift += controls[end].shift;
      ++end;
    }
    const double n = static_cast<double>(end - begin);
    levels.drift.push_back({time / n, shift / n});
    const double error = std::sqrt(levels.variance * (1 / n + 0.5 / static_cast<double>(pairs)));
    const bool off =
        std::abs(shift / n) > 3 * error && std::abs(shift / n) > std::abs(levels.delta()) / 20;
    stands_out = stands_out || off;
    levels.unsettled = off && n < 6 && std::abs(shift / n) > std::abs(levels.delta()) / 4;
  }
  if (!stands_out) levels.drift.clear();
}

}  // namespace

Levels estimate_levels(const Boots& good, const Boots& bad, std::size_t pairs,
                       const ThreeWaySettings& settings) {
  Levels levels;
  const Side g = summarise(good, pairs);
  const Side b = summarise(bad, pairs);
  levels.good = g.mean;
  levels.bad = b.mean;
  levels.freedom = 2 * (static_cast<double>(pairs) - 1) + kPriorBoots;
  levels.variance = (g.squares + b.squares + kPriorBoots * kPriorSd * kPriorSd) / levels.freedom;
  const double calibrated = mean_time(good, bad, pairs);
  levels.drift.push_back({calibrated, 0});
  follow_drift(levels, controls_of(good, bad, pairs, g.mean, b.mean), pairs, settings);
  return levels;
}

double Levels::settled(const Reading& boot) const {
  if (drift.empty()) return boot.y;
  const auto after = std::find_if(drift.begin(), drift.end(),
                                  [&](const Knot& knot) { return knot.time_s >= boot.time_s; });
  if (after == drift.begin()) return boot.y - drift.front().shift;
  if (after == drift.end()) return boot.y - drift.back().shift;
  const Knot& before = *(after - 1);
  const double part = (boot.time_s - before.time_s) / (after->time_s - before.time_s);
  return boot.y - (before.shift + part * (after->shift - before.shift));
}

Likeness liken(const Boots& boots, const Levels& levels, double limit) {
  Likeness likeness;
  const double middle = (levels.good + levels.bad) / 2;
  for (std::size_t i = 0; i < boots.size(); ++i) {
    const double vote =
        levels.delta() * (levels.settled(boots[i]) - middle) / (kCaution * levels.variance);
    likeness.ratio += std::clamp(vote, -kOneBoot * limit, kOneBoot * limit);
    if (likeness.decided == 0 && std::abs(likeness.ratio) > limit) likeness.decided = i + 1;
  }
  if (likeness.ratio > limit) likeness.outcome = Outcome::bad;
  if (likeness.ratio < -limit) likeness.outcome = Outcome::good;
  return likeness;
}

}  // namespace bisect_run::bisect
