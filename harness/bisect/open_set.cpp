#include "bisect/open_set.h"

#include <algorithm>
#include <cmath>

namespace bisect_run::bisect {

const NodeSet& AncestorCache::of(Node node) {
  const auto found = sets_.find(node);
  if (found != sets_.end()) return found->second;
  return sets_.emplace(node, graph_.ancestors(node)).first->second;
}

OpenSet::OpenSet(const Graph& graph, AncestorCache& ancestors)
    : ancestors_(ancestors),
      candidates_(graph.candidates()),
      members_(candidates_),
      top_(graph.bad()) {}

void OpenSet::bad(Node node) {
  if (!members_.contains(node)) return;
  members_ &= ancestors_.of(node);
  top_ = node;
}

void OpenSet::good(Node node) {
  good_.push_back(node);
  members_ -= ancestors_.of(node);
}

void OpenSet::reopen(Node bad_node) {
  const NodeSet& below = ancestors_.of(bad_node);
  members_ = candidates_;
  members_ &= below;
  for (Node node : good_)
    if (below.contains(node)) members_ -= ancestors_.of(node);
  top_ = bad_node;
}

namespace {

constexpr double kFailurePeak = 0.9;
constexpr double kFailureFloor = 0.03;
constexpr double kFailureReach = 30;  // commits

}  // namespace

std::optional<Node> next_probe(const Graph& graph, const NodeSet& open, const NodeSet& closed,
                               const std::vector<Node>& broken) {
  if (broken.empty()) return midpoint(graph, open, closed);
  const std::vector<std::uint32_t> counts = count_ancestors(graph, open);
  const std::vector<std::uint32_t> distance = link_distance(graph, broken);
  const double total = static_cast<double>(open.count());
  const double reach = std::clamp(total / 16, 1.0, kFailureReach) *
                       std::exp2(static_cast<double>(broken.size()) - 1);
  std::optional<Node> best;
  double best_value = -1;
  open.for_each([&](Node node) {
    if (closed.contains(node)) return;
    const double fails = std::max(
        kFailureFloor, kFailurePeak * std::exp(-static_cast<double>(distance[node]) / reach));
    const double split = std::min<double>(counts[node], total - counts[node]);
    const double value = (1 - fails) * split;
    if (value <= best_value) return;
    best_value = value;
    best = node;
  });
  return best;
}

}  // namespace bisect_run::bisect
