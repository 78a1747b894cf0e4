#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bisect/node_set.h"
#include "bisect/strategy.h"
#include "model/commit.h"

namespace bisect_run::bisect {

/// The shape of a Range: who is whose parent. Boundary nodes come first and have no parents here;
/// every parent has a smaller number than its children.
class Graph {
 public:
  explicit Graph(const Range& range);

  Node size() const { return static_cast<Node>(parent_begin_.size() - 1); }
  Node boundary() const { return boundary_; }
  Node good() const { return 0; }
  Node bad() const { return size() - 1; }
  bool is_candidate(Node node) const { return node >= boundary_; }
  bool has_merges() const { return has_merges_; }

  std::span<const Node> parents(Node node) const {
    return std::span(parent_list_)
        .subspan(parent_begin_[node], parent_begin_[node + 1] - parent_begin_[node]);
  }
  std::span<const Node> children(Node node) const {
    return std::span(child_list_)
        .subspan(child_begin_[node], child_begin_[node + 1] - child_begin_[node]);
  }

  /// All nodes that are not boundary.
  NodeSet candidates() const;
  /// The node itself and everything reachable over parents, boundary nodes included.
  NodeSet ancestors(Node node) const;

 private:
  std::vector<std::uint32_t> parent_begin_;
  std::vector<Node> parent_list_;
  std::vector<std::uint32_t> child_begin_;
  std::vector<Node> child_list_;
  Node boundary_ = 0;
  bool has_merges_ = false;
};

/// |ancestors(c) in members| for every node c of the graph. Works in blocks of 512 members, each a
/// row of bits that is OR-ed down the history at merges (statistics.md, section 10).
std::vector<std::uint32_t> count_ancestors(const Graph& graph, const NodeSet& members);
/// The same for several sets, which share the blocks: many small sets cost little more than one.
std::vector<std::vector<std::uint32_t>> count_ancestors(const Graph& graph,
                                                        std::span<const NodeSet* const> sets);

/// Links (parent or child) from each node to the nearest of `sources`; UINT32_MAX where none is
/// reachable.
std::vector<std::uint32_t> link_distance(const Graph& graph, std::span<const Node> sources);

/// The member c of `open`, not in `excluded`, for which min(x, n - x) is largest, where n = |open|
/// and x = |ancestors(c) in open|: what `git rev-list --bisect` looks for. The smallest number wins
/// a tie. Nothing if every member is excluded.
std::optional<Node> midpoint(const Graph& graph, const NodeSet& open, const NodeSet& excluded);

}  // namespace bisect_run::bisect
