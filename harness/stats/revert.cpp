#include "stats/revert.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace bisect_run::stats {

std::string_view to_string(RevertVerdict verdict) {
  switch (verdict) {
    case RevertVerdict::confirmed:
      return "confirmed";
    case RevertVerdict::partial:
      return "partial";
    case RevertVerdict::refuted:
      return "refuted";
    case RevertVerdict::inconclusive:
      break;
  }
  return "inconclusive";
}

RevertVerdict verdict_of(const Position& recovered) {
  const double low = recovered.at - 2 * recovered.error;
  const double high = recovered.at + 2 * recovered.error;
  if (high < 0.5) return RevertVerdict::refuted;
  if (low > 0 && high < 0.85) return RevertVerdict::partial;
  if (low > 0.5) return RevertVerdict::confirmed;
  return RevertVerdict::inconclusive;
}

std::optional<RevertTest> judge_revert(std::span<const RevertBoot> boots, double b0) {
  constexpr std::array<std::size_t, 3> kGroups{0, 1, 2};  // a build each
  Prior prior;
  prior.b0 = b0;
  std::vector<RevertBoot> counted;
  for (const RevertBoot& boot : boots)
    if (std::isfinite(boot.y) && std::isfinite(boot.time_s)) counted.push_back(boot);
  std::vector<Position> found;
  std::vector<double> weights;
  for (const NoiseCell& cell : drift_grid()) {
    Whitened data(cell);
    for (const RevertBoot& boot : counted)
      data.append(boot.y - counted.front().y, std::max(0.0, boot.time_s - counted.front().time_s),
                  static_cast<std::size_t>(boot.kernel), 1);
    if (data.builds() != kGroups.size()) return std::nullopt;
    for (std::size_t build : kGroups)
      if (!(data.build_build(build, build) > 0)) return std::nullopt;
    const auto levels = fit_groups(data, kGroups, kGroups.size(), prior);
    if (!levels) return std::nullopt;
    const auto at = position(*levels, static_cast<std::size_t>(RevertBoot::Kernel::bad),
                             static_cast<std::size_t>(RevertBoot::Kernel::good),
                             static_cast<std::size_t>(RevertBoot::Kernel::reverted));
    if (!at) return std::nullopt;
    found.push_back(*at);
    weights.push_back(cell.log_weight + levels->log_ml);
  }
  const double top = *std::max_element(weights.begin(), weights.end());
  double total = 0;
  for (double& weight : weights) total += weight = std::exp(weight - top);
  RevertTest test;
  for (std::size_t i = 0; i < found.size(); ++i)
    test.recovered.at += weights[i] / total * found[i].at;
  double square = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double off = found[i].at - test.recovered.at;
    square += weights[i] / total * (found[i].error * found[i].error + off * off);
  }
  test.recovered.error = std::sqrt(square);
  test.verdict = verdict_of(test.recovered);
  return test;
}

}  // namespace bisect_run::stats
