#include "stats/ends.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/likelihood.h"
#include "stats/summary.h"

namespace bisect_run::stats {
namespace {

constexpr double kUsualSd = 0.02;
constexpr double kFlat = 3;    // floors within an end
constexpr double kApart = 10;  // floors between the ends
constexpr double kRanges = 6;  // ranges between the ends

std::vector<double> values(std::span<const EndBoot> boots, bool bad) {
  std::vector<double> chosen;
  for (const EndBoot& boot : boots)
    if (boot.bad == bad) chosen.push_back(boot.y);
  return chosen;
}

double range(const std::vector<double>& numbers) {
  const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
  return *most - *least;
}

}  // namespace

EndsLook look_at_ends(std::span<const EndBoot> boots, double b0) {
  Prior prior;
  prior.b0 = b0;
  std::vector<StepFit> fits;
  std::vector<double> weights;
  for (const NoiseCell& cell : drift_grid()) {
    Whitened data(cell);
    // Build 0 is GOOD and exists even if BAD is booted first.
    for (const EndBoot& boot : boots) data.append(boot.y, boot.time_s, boot.bad ? 1 : 0, 1);
    const StepDots step{data.build_build(1, 1), data.build_1(1), data.build_y(1)};
    fits.push_back(fit_step(data, step, prior));
    weights.push_back(cell.log_weight + fits.back().log_ml);
  }
  const double top = *std::max_element(weights.begin(), weights.end());
  double total = 0;
  for (double& weight : weights) total += weight = std::exp(weight - top);
  EndsLook look;
  for (std::size_t i = 0; i < fits.size(); ++i) {
    look.delta += weights[i] / total * fits[i].delta;
    look.sigma2 += weights[i] / total * fits[i].sigma2;
  }
  double square = 0;
  for (std::size_t i = 0; i < fits.size(); ++i) {
    const double off = fits[i].delta - look.delta;
    square += weights[i] / total * (fits[i].delta_var + off * off);
  }
  look.error = std::sqrt(square);
  return look;
}

double pilot_sd(std::span<const EndBoot> boots, double floor) {
  const auto good = variance(values(boots, false));
  const auto bad = variance(values(boots, true));
  if (!good || !bad) return kUsualSd;
  return std::min(kUsualSd, std::max(floor, 2 * std::sqrt((*good + *bad) / 2)));
}

bool plainly_apart(std::span<const EndBoot> boots, double floor) {
  const std::vector<double> good = values(boots, false);
  const std::vector<double> bad = values(boots, true);
  if (good.empty() || bad.empty()) return false;
  const double gap = std::abs(median(good).value_or(0) - median(bad).value_or(0));
  const double spread = std::max(range(good), range(bad));
  return gap >= kApart * floor && (flat_ends(boots, floor) || gap >= kRanges * spread);
}

bool flat_ends(std::span<const EndBoot> boots, double floor) {
  return std::max(range(values(boots, false)), range(values(boots, true))) <= kFlat * floor;
}

}  // namespace bisect_run::stats
