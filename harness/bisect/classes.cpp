#include "bisect/classes.h"

#include <algorithm>

namespace bisect_run::bisect {

Classes::Classes(const Graph& graph, const NodeSet& light)
    : graph_(graph), light_(graph.size()), number_(graph.size(), -1) {
  if (light.size() == light_.size()) light_ = light;
  NodeSet suspects = graph.candidates();
  for (Node node = 0; node < graph.boundary(); ++node) {
    light_.insert(node);
    if (node != graph.good()) suspects.insert(node);
  }
  classes_.push_back(make_class(std::move(suspects), {}));
  total_weight_ = classes_.front().weight;
}

Classes::Class Classes::make_class(NodeSet members, std::vector<bool> bad) const {
  Class made;
  made.bad = std::move(bad);
  members.for_each([&](Node node) {
    if (graph_.is_candidate(node)) made.commits.push_back(node);
    made.weight += light_.contains(node) ? kLight : 1;
  });
  made.members = std::move(members);
  return made;
}

void Classes::split(Node node) {
  if (probed(node)) return;
  number_[node] = probes_++;
  const NodeSet ancestors = graph_.ancestors(node);
  std::vector<Class> parted;
  struct Recount {
    std::size_t smaller, larger;      // places in `parted`
    const std::vector<float>* whole;  // counts of both together
  };
  std::vector<Recount> recounts;
  for (Class& old : classes_) {
    NodeSet below = old.members;
    below &= ancestors;
    std::vector<bool> bad = old.bad;
    const bool all = below == old.members;
    if (all || below.empty()) {
      old.bad.push_back(all);
      parted.push_back(std::move(old));
      continue;
    }
    NodeSet rest = old.members;
    rest -= ancestors;
    bad.push_back(true);
    parted.push_back(make_class(std::move(below), bad));
    bad.back() = false;
    parted.push_back(make_class(std::move(rest), bad));
    if (old.inside.empty()) continue;
    const std::size_t last = parted.size() - 1;
    const bool first_smaller = parted[last - 1].commits.size() <= parted[last].commits.size();
    recounts.push_back(
        {first_smaller ? last - 1 : last, first_smaller ? last : last - 1, &old.inside});
  }
  std::vector<const NodeSet*> sets;
  for (const Recount& recount : recounts) sets.push_back(&parted[recount.smaller].members);
  std::vector<std::vector<float>> counted = weigh(sets);
  for (std::size_t i = 0; i < recounts.size(); ++i) {
    std::vector<float>& rest = parted[recounts[i].larger].inside;
    rest = *recounts[i].whole;
    for (std::size_t n = 0; n < rest.size(); ++n) rest[n] = std::max(0.0F, rest[n] - counted[i][n]);
    parted[recounts[i].smaller].inside = std::move(counted[i]);
  }
  classes_ = std::move(parted);
}

void Classes::count(const std::vector<std::size_t>& wanted) {
  std::vector<std::size_t> missing;
  std::vector<const NodeSet*> sets;
  for (std::size_t k : wanted)
    if (classes_[k].inside.empty()) {
      missing.push_back(k);
      sets.push_back(&classes_[k].members);
    }
  std::vector<std::vector<float>> counted = weigh(sets);
  for (std::size_t i = 0; i < missing.size(); ++i)
    classes_[missing[i]].inside = std::move(counted[i]);
}

std::vector<std::vector<float>> Classes::weigh(const std::vector<const NodeSet*>& sets) const {
  std::vector<std::vector<float>> weights;
  if (sets.empty()) return weights;
  // Full weights first, light ones after them, all in one pass over the history.
  std::vector<NodeSet> parts;
  for (const NodeSet* set : sets) parts.push_back(*set);
  for (const NodeSet* set : sets) parts.push_back(*set);
  std::vector<const NodeSet*> pointers;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i < sets.size())
      parts[i] -= light_;
    else
      parts[i] &= light_;
    pointers.push_back(&parts[i]);
  }
  const auto counts = count_ancestors(graph_, std::span<const NodeSet* const>(pointers));
  for (std::size_t i = 0; i < sets.size(); ++i) {
    weights.emplace_back(graph_.size());
    for (Node node = 0; node < graph_.size(); ++node)
      weights.back()[node] =
          static_cast<float>(counts[i][node]) +
          static_cast<float>(kLight) * static_cast<float>(counts[i + sets.size()][node]);
  }
  return weights;
}

}  // namespace bisect_run::bisect
