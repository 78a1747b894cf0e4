#include "engine/disturbance.h"

#include <algorithm>

#include <fmt/format.h>

namespace bisect_run::engine {
namespace {

constexpr double kOthersMargin = 0.10;  // of the host's CPU time
constexpr double kStealMargin = 0.05;
constexpr double kRateMargin = 0.10;  // of the rate itself
constexpr double kSlept_s = 1;

/// What the boots that calibrated the run have seen of one number.
struct Seen {
  std::optional<double> low, high;

  void add(const std::optional<double>& value) {
    if (!value) return;
    low = std::min(low.value_or(*value), *value);
    high = std::max(high.value_or(*value), *value);
  }
};

struct Usual {
  Seen others, steal, mhz;
  int boots = 0;
  int disturbed_in_a_row = 0;  ///< at the end of what was recorded
};

Usual usual_of(const std::vector<BootRecord>& earlier) {
  Usual usual;
  for (const auto& record : earlier) {
    if (record.boot.outcome == BootOutcome::disturbed) ++usual.disturbed_in_a_row;
    if (record.boot.outcome != BootOutcome::complete) continue;
    const bool changed_for_good = usual.disturbed_in_a_row >= kDisturbedTries;
    usual.disturbed_in_a_row = 0;
    if (!record.boot.host || (usual.boots >= kCalibratingBoots && !changed_for_good)) continue;
    ++usual.boots;
    usual.others.add(record.boot.host->others);
    usual.steal.add(record.boot.host->steal);
    usual.mhz.add(record.boot.host->mhz);
  }
  return usual;
}

bool outside(const std::optional<double>& value, const Seen& seen, double margin) {
  return value && seen.low && (*value < *seen.low - margin || *value > *seen.high + margin);
}

std::string percent_range(const Seen& seen) {
  return fmt::format("{:.0f} % to {:.0f} %", 100 * *seen.low, 100 * *seen.high);
}

std::optional<std::string> difference(const HostConditions& now, const Usual& usual) {
  if (outside(now.others, usual.others, kOthersMargin))
    return fmt::format(
        "{:.0f} % of the host's CPU time went to others than the VM; {} while the "
        "run was calibrated",
        100 * *now.others, percent_range(usual.others));
  if (outside(now.steal, usual.steal, kStealMargin))
    return fmt::format(
        "{:.0f} % of the host's CPU time was stolen from it; {} while the run was "
        "calibrated",
        100 * *now.steal, percent_range(usual.steal));
  if (usual.mhz.low && outside(now.mhz, usual.mhz, kRateMargin * *usual.mhz.high))
    return fmt::format(
        "the host's CPUs ran at {:.0f} MHz; at {:.0f} to {:.0f} while the run was "
        "calibrated",
        *now.mhz, *usual.mhz.low, *usual.mhz.high);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> disturbance(const std::vector<BootRecord>& earlier,
                                       const std::optional<HostConditions>& now) {
  if (!now) return std::nullopt;
  if (now->suspended_s >= kSlept_s)
    return fmt::format("the host slept for {:.0f} s meanwhile", now->suspended_s);
  const Usual usual = usual_of(earlier);
  if (usual.boots < kCalibratingBoots || usual.disturbed_in_a_row >= kDisturbedTries)
    return std::nullopt;
  return difference(*now, usual);
}

}  // namespace bisect_run::engine
