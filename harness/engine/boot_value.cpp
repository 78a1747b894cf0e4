#include "engine/boot_value.h"

#include <cmath>

#include "stats/summary.h"

namespace bisect_run::engine {
namespace {

std::optional<double> value_of(const Sample& sample) {
  if (sample.value) return sample.value;
  if (sample.items <= 0 || sample.wall_ns <= 0) return std::nullopt;
  return static_cast<double>(sample.items) * 1e9 / static_cast<double>(sample.wall_ns);
}

}  // namespace

std::optional<double> boot_value(const std::vector<Sample>& samples, std::string_view metric,
                                 std::int64_t mark) {
  std::vector<double> values;
  for (const auto& sample : samples) {
    if (sample.metric != metric || sample.mark != mark) continue;
    if (const auto value = value_of(sample)) values.push_back(*value);
  }
  const auto median = stats::median(values);
  if (!median || !std::isfinite(*median) || *median <= 0) return std::nullopt;
  return median;
}

}  // namespace bisect_run::engine
