#include <cmath>

#include "report/compare_report.h"

namespace bisect_run::report {

std::optional<double> centre(const Cell& cell) {
  std::vector<double> logs;
  for (const double value : cell.boots) {
    if (!(value > 0)) return stats::mean(cell.boots);  // counters may be 0
    logs.push_back(std::log(value));
  }
  const auto mean = stats::mean(logs);
  if (!mean) return std::nullopt;
  return std::exp(*mean);
}

std::optional<Ratio> ratio_of(const Cell& base, const Cell& cell) {
  const auto effect = stats::relative_effect(base.boots, cell.boots);
  if (!effect) return std::nullopt;
  Ratio ratio{1 + effect->value, std::nullopt};
  if (effect->interval)
    ratio.interval = stats::Interval{1 + effect->interval->low, 1 + effect->interval->high};
  return ratio;
}

Series as_shown(const Series& series, Shown shown) {
  if (shown == Shown::rate || series.metric.unit != "items/s") return series;
  Series made = series;
  made.metric.unit = "ms/item";
  made.metric.better = stats::Better::lower;
  for (auto& row : made.rows)
    for (auto& cell : row.cells)
      for (double& value : cell.boots) value = 1000 / value;
  return made;
}

std::string unit_text(const Metric& metric) {
  return metric.unit +
         (metric.better == stats::Better::higher ? " (higher is better)" : " (lower is better)");
}

}  // namespace bisect_run::report
