#include "report/conditions.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "model/spec_key.h"

namespace bisect_run::report {
namespace {

using Counts = std::vector<std::pair<std::string, std::size_t>>;

Counts most_first(const std::map<std::string, std::size_t>& counts) {
  Counts sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::ranges::greater{}, &Counts::value_type::second);
  return sorted;
}

}  // namespace

std::string remedies_used(const History& history) {
  std::map<std::string, std::set<std::string>> kernels;
  for (const auto& build : history.builds)
    if (build.image)
      for (const auto& remedy : build.image->remedies)
        kernels[remedy.name].insert(spec_key(build.spec));
  std::map<std::string, std::size_t> counts;
  for (const auto& [name, of] : kernels) counts[name] = of.size();
  std::string text;
  for (const auto& [name, count] : most_first(counts))
    text += text.empty() ? fmt::format("{} ({} kernel{})", name, count, count == 1 ? "" : "s")
                         : fmt::format(", {} ({})", name, count);
  return text;
}

std::string clocks_used(const History& history) {
  std::map<std::string, std::size_t> counts;
  for (const auto& record : history.boots)
    if (record.boot.outcome == BootOutcome::complete && record.boot.handshake &&
        !record.boot.handshake->clocksource.empty())
      ++counts[record.boot.handshake->clocksource];
  std::string text;
  for (const auto& [name, count] : most_first(counts)) text += (text.empty() ? "" : " | ") + name;
  return text;
}

}  // namespace bisect_run::report
