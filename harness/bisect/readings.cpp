#include "bisect/readings.h"

#include <algorithm>
#include <cmath>

namespace bisect_run::bisect {

Readings::Readings(const Evidence& evidence) {
  for (const Observation& boot : evidence.boots) {
    if (!std::isfinite(boot.y) || !std::isfinite(boot.time_s)) continue;
    std::vector<Reading>& readings = by_node_[boot.node];
    if (readings.empty()) booted_.push_back(boot.node);
    readings.push_back({boot.y, boot.time_s, boot.build});
    builds_.push_back(boot.build);
    last_time_ = std::max(last_time_, boot.time_s);
  }
  for (const Skipped& skip : evidence.skipped) skipped_.emplace(skip.node, skip.reason);
}

const std::vector<Reading>& Readings::of(Node node) const {
  static const std::vector<Reading> kNone;
  const auto found = by_node_.find(node);
  return found == by_node_.end() ? kNone : found->second;
}

const std::string* Readings::skip_reason(Node node) const {
  const auto found = skipped_.find(node);
  return found == skipped_.end() ? nullptr : &found->second;
}

std::size_t Readings::latest_of(Node a, Node b) const {
  const auto is_of = [](const std::vector<Reading>& readings, std::uint32_t build) {
    return std::any_of(readings.begin(), readings.end(),
                       [build](const Reading& reading) { return reading.build == build; });
  };
  const auto other = std::find_if(builds_.rbegin(), builds_.rend(), [&](std::uint32_t build) {
    return !is_of(of(a), build) && !is_of(of(b), build);
  });
  return static_cast<std::size_t>(other - builds_.rbegin());
}

bool Readings::same_image(Node a, Node b) const {
  for (const Reading& left : of(a))
    for (const Reading& right : of(b))
      if (left.build == right.build) return true;
  return false;
}

}  // namespace bisect_run::bisect
