#include "cli/experience.h"

#include <cmath>
#include <map>

#include "cli/host_facts.h"
#include "engine/boot_value.h"
#include "model/spec_key.h"
#include "store/store.h"

namespace bisect_run::cli {
namespace {

constexpr int kRuns = 10;             // older ones tell of another kernel age or another machine
constexpr double kFreedomWanted = 4;  // below that a variance is not worth a name

/// Sums over runs.
struct Sums {
  double build_s = 0, boot_s = 0;
  int builds = 0, boots = 0;
  double squares = 0, freedom = 0;  // of ln(value), within the boots of one kernel

  void add_builds(const History& history) {
    for (const auto& build : history.builds) {
      if (!build.image || build.image->cached) continue;
      build_s += build.image->build_seconds;
      ++builds;
    }
  }

  void add_boots(const History& history, const RunRequest& request) {
    const std::int64_t mark = request.marks.empty() ? 0 : request.marks.front();
    std::map<std::string, std::vector<double>> values;
    for (const auto& record : history.boots) {
      if (record.boot.outcome != BootOutcome::complete ||
          record.boot.machine.cpus != request.machine.cpus)
        continue;
      const auto value = engine::boot_value(record.samples, request.metric, mark);
      if (!value) continue;
      boot_s += record.boot.wall_seconds;
      ++boots;
      values[spec_key(record.spec)].push_back(std::log(*value));
    }
    for (const auto& [kernel, logs] : values) {
      double mean = 0;
      for (const double y : logs) mean += y / static_cast<double>(logs.size());
      for (const double y : logs) squares += (y - mean) * (y - mean);
      freedom += static_cast<double>(logs.size()) - 1;
    }
  }
};

}  // namespace

Experience experience_of(const Places& places, const Inputs& inputs) {
  Experience experience;
  if (!std::filesystem::exists(places.database())) return experience;
  const auto store = store::Store::open_read_only(places.database());
  if (!store) return experience;
  const auto runs = store->runs();
  if (!runs) return experience;
  const auto host = host_digest();
  Sums sums;
  int looked_at = 0;
  for (auto run = runs->rbegin(); run != runs->rend() && looked_at < kRuns; ++run) {
    if (run->provenance.host != host) continue;
    const auto history = store->history(run->id);
    if (!history) continue;
    ++looked_at;
    sums.add_builds(*history);
    if (run->provenance.scenario_digest == inputs.scenario.digest)
      sums.add_boots(*history, inputs.request);
  }
  experience.builds = sums.builds;
  experience.boots = sums.boots;
  if (sums.builds > 0) experience.build_s = sums.build_s / sums.builds;
  if (sums.boots > 0) experience.boot_s = sums.boot_s / sums.boots;
  if (sums.freedom >= kFreedomWanted) experience.sigma = std::sqrt(sums.squares / sums.freedom);
  return experience;
}

}  // namespace bisect_run::cli
