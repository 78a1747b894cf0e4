#include "report/totals.h"

#include <algorithm>
#include <map>

#include "stats/summary.h"

namespace bisect_run::report {
namespace {

void add(std::optional<double>& sum, const std::optional<std::int64_t>& nanoseconds) {
  if (!nanoseconds)
    sum.reset();
  else if (sum)
    *sum += static_cast<double>(*nanoseconds) / 1e9;
}

LoopTotal begun(const Sample& sample) {
  LoopTotal total;
  const auto dot = sample.metric.find('.');
  total.kind = sample.metric.substr(0, dot);
  if (dot != std::string::npos) total.phase = sample.metric.substr(dot + 1);
  total.user_s = total.system_s = 0;
  return total;
}

bool same_loop(const LoopTotal& a, const LoopTotal& b) {
  return a.kind == b.kind && a.phase == b.phase && a.items == b.items;
}

/// The median of one member over boots; nothing if a boot lacks it.
template <class Member>
std::optional<double> median_of(const std::vector<std::vector<LoopTotal>>& boots, std::size_t at,
                                Member member) {
  std::vector<double> values;
  for (const auto& boot : boots) {
    const std::optional<double> value = boot[at].*member;
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return stats::median(values);
}

}  // namespace

std::vector<LoopTotal> totals_of(const std::vector<Sample>& samples) {
  std::vector<LoopTotal> totals;
  std::map<std::pair<std::string, std::int32_t>, std::size_t> place;
  for (const auto& sample : samples) {
    if (sample.items <= 0) continue;
    const auto [found, fresh] =
        place.try_emplace({sample.metric, sample.repetition}, totals.size());
    if (fresh) totals.push_back(begun(sample));
    LoopTotal& total = totals[found->second];
    total.items += sample.items;
    total.seconds += static_cast<double>(sample.wall_ns) / 1e9;
    add(total.user_s, sample.user_ns);
    add(total.system_s, sample.system_ns);
  }
  return totals;
}

std::vector<LoopTotal> median_totals(const std::vector<std::vector<LoopTotal>>& boots) {
  std::vector<LoopTotal> medians;
  if (boots.empty()) return medians;
  const bool agree = std::ranges::all_of(
      boots, [&](const auto& boot) { return std::ranges::equal(boot, boots.front(), same_loop); });
  if (!agree) return medians;
  for (std::size_t i = 0; i < boots.front().size(); ++i) {
    LoopTotal total = boots.front()[i];
    total.seconds = median_of(boots, i, &LoopTotal::seconds).value_or(total.seconds);
    total.user_s = median_of(boots, i, &LoopTotal::user_s);
    total.system_s = median_of(boots, i, &LoopTotal::system_s);
    medians.push_back(std::move(total));
  }
  return medians;
}

}  // namespace bisect_run::report
