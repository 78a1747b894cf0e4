#include "bisect/boot_facts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace bisect_run::bisect {
namespace {

constexpr double kMostLog = 1500;  // the logarithms of two doubles differ by less

}  // namespace

std::vector<BootFact> boot_facts(const Evidence& evidence) {
  std::vector<BootFact> facts;
  std::map<std::uint32_t, std::size_t> build_of;
  std::map<std::tuple<std::uint32_t, double, double>, std::size_t> known;
  const Observation* first = nullptr;
  for (const Observation& boot : evidence.boots) {
    if (!std::isfinite(boot.y) || !std::isfinite(boot.time_s)) continue;
    if (!first) first = &boot;
    const auto [place, fresh] = known.try_emplace({boot.build, boot.time_s, boot.y}, facts.size());
    if (!fresh) {
      std::vector<Node>& nodes = facts[place->second].nodes;
      const auto at = std::lower_bound(nodes.begin(), nodes.end(), boot.node);
      if (at == nodes.end() || *at != boot.node) nodes.insert(at, boot.node);
      continue;
    }
    const std::size_t build = build_of.try_emplace(boot.build, build_of.size()).first->second;
    facts.push_back({std::clamp(boot.y - first->y, -kMostLog, kMostLog),
                     std::max(0.0, boot.time_s - first->time_s),
                     build,
                     {boot.node}});
  }
  return facts;
}

}  // namespace bisect_run::bisect
