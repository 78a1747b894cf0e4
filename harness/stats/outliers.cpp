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
  std::vector<BuildBoot> others;
  for (std::size_t i = 0; i < boots.size(); ++i)
    if (i != index) others.push_back(boots[i]);
  const double time = boots[index].time_s;
  std::stable_sort(others.begin(), others.end(), [time](const BuildBoot& a, const BuildBoot& b) {
    return std::abs(a.time_s - time) < std::abs(b.time_s - time);
  });
  others.resize(std::min(others.size(), kNeighbours));
  std::vector<double> values;
  for (const BuildBoot& boot : others) values.push_back(boot.y);
  const double r = std::abs(boots[index].y - median(values).value_or(boots[index].y)) / sigma;
  return r > kOutlying ? std::min(kMostWeight, (r / kUnit) * (r / kUnit)) : 1;
}

bool worth_adopting(double old_weight, double new_weight) {
  return std::abs(new_weight - old_weight) > kHysteresis * old_weight;
}

}  // namespace bisect_run::stats
