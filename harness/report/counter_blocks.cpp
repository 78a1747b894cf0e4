#include "report/counter_blocks.h"

#include <algorithm>
#include <string>

#include "stats/summary.h"

namespace bisect_run::report {
namespace {

constexpr std::string_view kPair = ".pair";

/// All samples, whatever their boot: the medians of a block are over them.
struct Pool {
  std::vector<const Sample*> samples;

  std::vector<std::string> metrics() const {
    std::vector<std::string> names;
    for (const auto* sample : samples)
      if (std::ranges::find(names, sample->metric) == names.end()) names.push_back(sample->metric);
    return names;
  }
  std::optional<double> median_value(const std::string& metric) const {
    std::vector<double> values;
    for (const auto* sample : samples)
      if (sample->metric == metric && sample->value) values.push_back(*sample->value);
    return stats::median(values);
  }
  double median_seconds(const std::string& metric) const {
    std::vector<double> values;
    for (const auto* sample : samples)
      if (sample->metric == metric) values.push_back(static_cast<double>(sample->wall_ns) / 1e9);
    return stats::median(values).value_or(0);
  }
};

/// `./atomic 4` of the loop `atomic.4`, as the thread's author typed it.
std::string command_of(const std::string& loop) {
  std::string command = "./" + loop;
  std::ranges::replace(command, '.', ' ');
  command[0] = '.';
  return command;
}

CounterBlock block_of(const std::string& loop, const Pool& pool) {
  CounterBlock block{.command = command_of(loop),
                     .counters = {},
                     .elapsed_s = pool.median_seconds(loop),
                     .pair_ns = pool.median_value(loop + std::string(kPair))};
  for (const auto& metric : pool.metrics()) {
    if (!metric.starts_with(loop + ".") || metric.ends_with(kPair)) continue;
    const auto name = metric.substr(loop.size() + 1);
    if (name.find('.') != std::string::npos) continue;
    auto value = pool.median_value(metric);
    if (name == "task-clock" && value) *value /= 1e6;  // perf prints milliseconds
    block.counters.push_back({name, value});
  }
  return block;
}

}  // namespace

std::vector<CounterBlock> counter_blocks(const std::vector<BootRecord>& boots) {
  Pool pool;
  for (const auto& record : boots)
    for (const auto& sample : record.samples) pool.samples.push_back(&sample);
  std::vector<CounterBlock> blocks;
  for (const auto& metric : pool.metrics())
    if (metric.ends_with(kPair))
      blocks.push_back(block_of(metric.substr(0, metric.size() - kPair.size()), pool));
  return blocks;
}

}  // namespace bisect_run::report
