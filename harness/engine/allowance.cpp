#include "engine/allowance.h"

#include <algorithm>
#include <vector>

#include "stats/summary.h"

namespace bisect_run::engine {
namespace {

bool was_built(const KernelSpec& spec, const History& history) {
  return std::ranges::find(history.builds, spec, &BuildRecord::spec) != history.builds.end();
}

}  // namespace

bool in_time(const Allowance& allowance, const KernelSpec& spec, Prober& prober) {
  if (!allowance.deadline) return true;
  const auto& history = prober.history();
  std::vector<double> builds, boots;
  for (const auto& build : history.builds)
    if (build.image && !build.image->cached) builds.push_back(build.image->build_seconds);
  for (const auto& record : history.boots) boots.push_back(record.boot.wall_seconds);
  const double build = was_built(spec, history) ? 0 : stats::median(builds).value_or(0);
  const double boot = stats::median(boots).value_or(0);
  return prober.ports().clock.now() + build + boot <= *allowance.deadline;
}

std::string spent(const Allowance& allowance, const KernelSpec& spec, Prober& prober) {
  const auto made = static_cast<int>(prober.history().boots.size());
  if (allowance.most_boots > 0 && made >= allowance.most_boots) return "the run has no boots left";
  return in_time(allowance, spec, prober) ? "" : "the budget is spent";
}

std::string spent_before_build(const Allowance& allowance, const KernelSpec& spec, Prober& prober) {
  return was_built(spec, prober.history()) ? "" : spent(allowance, spec, prober);
}

}  // namespace bisect_run::engine
