#include "bisect/skip_risk.h"

#include <algorithm>
#include <cmath>

namespace bisect_run::bisect {
namespace {

constexpr double kFloor = 0.03;
constexpr double kPeak = 0.9;
constexpr double kLength = 30;

}  // namespace

SkipRisk::SkipRisk(const Graph& graph, const std::vector<Node>& failures) {
  if (!failures.empty()) distance_ = link_distance(graph, failures);
}

double SkipRisk::operator()(Node node) const {
  if (!any()) return 0;
  if (failed(node)) return 1;
  return std::max(kFloor, kPeak * std::exp(-static_cast<double>(distance_[node]) / kLength));
}

}  // namespace bisect_run::bisect
