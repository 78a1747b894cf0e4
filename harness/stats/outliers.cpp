#include "stats/outliers.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/summary.h"

namespace bisect_run::stats {
namespace {

constexpr std::size_t kLeastBoots = 3;
constexpr std::size_t kNeighbours = 5;
constexpr double kOutlying = 3;
constexpr double kUnit = 1.5;
constexpr double kMostWeight = 100;
constexpr double kHysteresis = 0.3;

}  // namespace

std::optional<double> outlier_weight(std::span<const BuildBoot> boots, std::size_t index,
                                     double sigma) {
  if (boots.size() < kLeastBoots || !(sigma > 0)) return std::nullopt;
  std::vector<double> values;
  std::size_t before = index;  // boots [before, index) and (index, after) are taken
  std::size_t after = index + 1;
  const double time = boots[index].time_s;
  while (values.size() < kNeighbours && (before > 0 || after < boots.size())) {
    const bool earlier = before > 0 && (after == boots.size() || time - boots[before - 1].time_s <=
                                                                     boots[after].time_s - time);
    values.push_back(earlier ? boots[--before].y : boots[after++].y);
  }
  const double r = std::abs(boots[index].y - median(values).value_or(boots[index].y)) / sigma;
  return r > kOutlying ? std::min(kMostWeight, (r / kUnit) * (r / kUnit)) : 1;
}

bool worth_adopting(double old_weight, double new_weight) {
  return std::abs(new_weight - old_weight) > kHysteresis * old_weight;
}

}  // namespace bisect_run::stats
