#pragma once

#include <cstdint>
#include <vector>

#include "bisect/graph.h"

namespace bisect_run::bisect {

/// The commits under suspicion, parted by the probed commits: members of one class are ancestors
/// of the same probed commits, so no boot tells them apart (statistics.md, section 10).
///
/// Suspects are all candidates, and with little weight the boundary nodes other than GOOD: should
/// one of those be bad, the change came in from outside. Commits in `light` (unlikely to matter)
/// have that weight too. No suspect weighs nothing.
class Classes {
 public:
  static constexpr double kLight = 1e-3;  ///< weight of a light suspect; the others weigh 1

  struct Class {
    NodeSet members;
    std::vector<Node> commits;  ///< members that are candidates, ascending
    double weight = 0;
    std::vector<bool> bad;  ///< by number of probe: would it be bad, were the culprit in here
    std::vector<float>
        inside;  ///< weight of ancestors(c) in this class, by node; empty: not counted
  };

  Classes(const Graph& graph, const NodeSet& light);

  /// Parts every class by the ancestors of `node`; nothing if that was done before.
  void split(Node node);
  bool probed(Node node) const { return number_[node] >= 0; }

  std::size_t size() const { return classes_.size(); }
  const Class& operator[](std::size_t k) const { return classes_[k]; }
  double total_weight() const { return total_weight_; }
  bool has_merges() const { return graph_.has_merges(); }
  /// Would a probed node be bad, were the culprit in class k?
  bool bad(std::size_t k, Node probed_node) const {
    return classes_[k].bad[static_cast<std::size_t>(number_[probed_node])];
  }

  /// Counts `inside` for the given classes, in one go for those not counted yet.
  void count(const std::vector<std::size_t>& wanted);
  /// Forgets the counts of a class that nobody looks at, so that splitting it costs nothing.
  void forget(std::size_t k) { classes_[k].inside.clear(); }

 private:
  Class make_class(NodeSet members, std::vector<bool> bad) const;
  std::vector<std::vector<float>> weigh(const std::vector<const NodeSet*>& sets) const;

  const Graph& graph_;
  NodeSet light_;
  std::vector<Class> classes_;
  std::vector<std::int32_t> number_;  // of the probe, by node; -1: not probed
  std::int32_t probes_ = 0;
  double total_weight_ = 0;
};

}  // namespace bisect_run::bisect
