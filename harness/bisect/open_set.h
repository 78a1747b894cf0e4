#pragma once

#include <functional>
#include <map>
#include <optional>

#include "bisect/graph.h"
#include "model/verdict.h"

namespace bisect_run::bisect {

/// Ancestor sets, each computed once.
class AncestorCache {
 public:
  explicit AncestorCache(const Graph& graph) : graph_(graph) {}
  const NodeSet& of(Node node);

 private:
  const Graph& graph_;
  std::map<Node, NodeSet> sets_;
};

/// The commits that can still be the first with the new level, given verdicts on some.
///
/// With one change, bad means that the culprit is among the commit and its ancestors, good that it
/// is not. Verdicts are taken in the order of probing; one about a commit that earlier verdicts
/// have already excluded changes nothing.
class OpenSet {
 public:
  OpenSet(const Graph& graph, AncestorCache& ancestors);

  void bad(Node node);
  void good(Node node);
  /// Starts over below a commit found bad although it was excluded: what remains are its ancestors
  /// without those of the good commits among them.
  void reopen(Node bad_node);

  const NodeSet& members() const { return members_; }
  /// The bad commit that holds all the others.
  Node top() const { return top_; }

 private:
  AncestorCache& ancestors_;
  NodeSet candidates_;
  NodeSet members_;
  std::vector<Node> good_;
  Node top_;
};

/// Where to probe next: most information about the open set, away from what could not be tested.
/// `closed` are members that cannot be probed (again); `broken` those that failed. The chance that
/// a commit fails falls from 0.9 with the links to the nearest failure (statistics.md, section 9);
/// how far it reaches doubles with every failure, so that a long stretch is left in few steps.
std::optional<Node> next_probe(const Graph& graph, const NodeSet& open, const NodeSet& closed,
                               const std::vector<Node>& broken);

}  // namespace bisect_run::bisect
