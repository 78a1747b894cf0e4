#include "stats/summary.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace bisect_run::stats {
namespace {

bool usable(std::span<const double> values) {
  return !values.empty() &&
         std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

std::optional<double> finite(double value) {
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

std::optional<double> median(std::span<const double> values) {
  if (!usable(values)) return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  if (sorted.size() % 2 == 1) return sorted[middle];
  return std::midpoint(sorted[middle - 1], sorted[middle]);
}

std::optional<double> mean(std::span<const double> values) {
  if (!usable(values)) return std::nullopt;
  const double n = static_cast<double>(values.size());
  double sum = 0;
  for (double v : values) sum += v / n;  // divided first: a sum of large values stays finite
  return finite(sum);
}

std::optional<double> variance(std::span<const double> values) {
  if (values.size() < 2) return std::nullopt;
  const auto centre = mean(values);
  if (!centre) return std::nullopt;
  double squares = 0;
  for (double v : values) squares += (v - *centre) * (v - *centre);
  return finite(squares / static_cast<double>(values.size() - 1));
}

std::optional<double> harmonic_mean(std::span<const double> values) {
  if (!usable(values)) return std::nullopt;
  double inverse = 0;
  for (double v : values) {
    if (v <= 0) return std::nullopt;
    inverse += 1 / v;
  }
  return finite(static_cast<double>(values.size()) / inverse);
}

}  // namespace bisect_run::stats
