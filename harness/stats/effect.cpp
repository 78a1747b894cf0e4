#include "stats/effect.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/distributions.h"
#include "stats/summary.h"

namespace bisect_run::stats {
namespace {

std::optional<std::vector<double>> logarithms(std::span<const double> values) {
  std::vector<double> logs;
  logs.reserve(values.size());
  for (double v : values) {
    if (!(v > 0) || !std::isfinite(v)) return std::nullopt;
    logs.push_back(std::log(v));
  }
  return logs;
}

std::optional<Interval> welch(double centre, std::span<const double> good,
                              std::span<const double> bad, double confidence) {
  const auto var_good = variance(good);
  const auto var_bad = variance(bad);
  if (!var_good || !var_bad) return std::nullopt;
  const double n_good = static_cast<double>(good.size());
  const double n_bad = static_cast<double>(bad.size());
  const double part_good = *var_good / n_good;
  const double part_bad = *var_bad / n_bad;
  const double square = part_good + part_bad;
  if (square == 0) return Interval{centre, centre};
  const double share_good = part_good / square;  // shares, so that tiny variances do not underflow
  const double share_bad = part_bad / square;
  const double df =
      1 / (share_good * share_good / (n_good - 1) + share_bad * share_bad / (n_bad - 1));
  const auto quantile = student_quantile(0.5 + confidence / 2, df);
  if (!quantile) return std::nullopt;
  const double half = *quantile * std::sqrt(square);
  if (!std::isfinite(half)) return std::nullopt;
  return Interval{centre - half, centre + half};
}

}  // namespace

std::optional<Effect> difference(std::span<const double> good, std::span<const double> bad,
                                 double confidence) {
  const auto mean_good = mean(good);
  const auto mean_bad = mean(bad);
  if (!mean_good || !mean_bad) return std::nullopt;
  const double centre = *mean_bad - *mean_good;
  if (!std::isfinite(centre)) return std::nullopt;
  return Effect{centre, welch(centre, good, bad, confidence)};
}

std::optional<Effect> relative_effect(std::span<const double> good, std::span<const double> bad,
                                      double confidence) {
  const auto log_good = logarithms(good);
  const auto log_bad = logarithms(bad);
  if (!log_good || !log_bad) return std::nullopt;
  const auto log_effect = difference(*log_good, *log_bad, confidence);
  if (!log_effect) return std::nullopt;
  const Effect effect = to_relative(*log_effect);
  if (!std::isfinite(effect.value)) return std::nullopt;
  return effect;
}

Effect to_relative(const Effect& log_effect) {
  Effect effect{std::expm1(log_effect.value), std::nullopt};
  if (log_effect.interval) {
    // Finite bounds only: an interval that overflows says nothing.
    const Interval bounds{std::expm1(log_effect.interval->low),
                          std::expm1(log_effect.interval->high)};
    if (std::isfinite(bounds.high)) effect.interval = bounds;
  }
  return effect;
}

}  // namespace bisect_run::stats
