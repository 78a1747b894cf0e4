#include "bisect/graph.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <limits>

namespace bisect_run::bisect {

Graph::Graph(const Range& range) : boundary_(range.boundary) {
  const std::size_t size = range.parents.size();
  parent_begin_.reserve(size + 1);
  parent_begin_.push_back(0);
  std::vector<std::uint32_t> child_count(size + 1, 0);
  for (std::size_t node = 0; node < size; ++node) {
    for (std::uint32_t parent : range.parents[node]) {
      assert(parent < node);
      parent_list_.push_back(parent);
      ++child_count[parent + 1];
    }
    parent_begin_.push_back(static_cast<std::uint32_t>(parent_list_.size()));
  }
  child_begin_ = std::move(child_count);
  for (std::size_t node = 0; node < size; ++node) child_begin_[node + 1] += child_begin_[node];
  child_list_.resize(parent_list_.size());
  std::vector<std::uint32_t> next(child_begin_.begin(), child_begin_.end() - 1);
  for (Node node = 0; node < size; ++node)
    for (Node parent : parents(node)) child_list_[next[parent]++] = node;
}

NodeSet Graph::candidates() const {
  NodeSet all(size());
  for (Node node = boundary_; node < size(); ++node) all.insert(node);
  return all;
}

NodeSet Graph::ancestors(Node node) const {
  NodeSet reached(size());
  reached.insert(node);
  // Parents have smaller numbers, so one sweep downwards meets every member before its parents.
  for (Node next = node + 1; next-- > 0;)
    if (reached.contains(next))
      for (Node parent : parents(next)) reached.insert(parent);
  return reached;
}

namespace {

constexpr std::size_t kBlockWords = 8;
constexpr std::size_t kBlockBits = kBlockWords * 64;
using Row = std::array<std::uint64_t, kBlockWords>;

void add_block(const Graph& graph, std::span<const Node> block, std::vector<Row>& rows,
               std::vector<std::uint32_t>& counts) {
  // Nothing below the first member of the block has one of its members as an ancestor.
  const Node first = block.front();
  std::fill(rows.begin(), rows.begin() + first, Row{});
  std::size_t next = 0;
  for (Node node = first; node < graph.size(); ++node) {
    Row row{};
    for (Node parent : graph.parents(node))
      for (std::size_t w = 0; w < kBlockWords; ++w) row[w] |= rows[parent][w];
    if (next < block.size() && block[next] == node) {
      row[next / 64] |= std::uint64_t{1} << (next % 64);
      ++next;
    }
    int bits = 0;
    for (std::uint64_t word : row) bits += std::popcount(word);
    counts[node] += static_cast<std::uint32_t>(bits);
    rows[node] = row;
  }
}

}  // namespace

std::vector<std::uint32_t> count_ancestors(const Graph& graph, const NodeSet& members) {
  std::vector<std::uint32_t> counts(graph.size(), 0);
  std::vector<Row> rows(graph.size());
  const std::vector<Node> list = members.nodes();
  for (std::size_t begin = 0; begin < list.size(); begin += kBlockBits)
    add_block(graph, std::span(list).subspan(begin, std::min(kBlockBits, list.size() - begin)),
              rows, counts);
  return counts;
}

std::vector<std::uint32_t> link_distance(const Graph& graph, std::span<const Node> sources) {
  constexpr auto kFar = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> distance(graph.size(), kFar);
  std::vector<Node> queue(sources.begin(), sources.end());
  for (Node source : sources) distance[source] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const Node node = queue[head];
    const auto visit = [&](Node neighbour) {
      if (distance[neighbour] != kFar) return;
      distance[neighbour] = distance[node] + 1;
      queue.push_back(neighbour);
    };
    for (Node parent : graph.parents(node)) visit(parent);
    for (Node child : graph.children(node)) visit(child);
  }
  return distance;
}

std::optional<Node> midpoint(const Graph& graph, const NodeSet& open, const NodeSet& excluded) {
  const std::vector<std::uint32_t> counts = count_ancestors(graph, open);
  const auto total = static_cast<std::uint32_t>(open.count());
  std::optional<Node> best;
  std::uint32_t best_value = 0;
  open.for_each([&](Node node) {
    if (excluded.contains(node)) return;
    const std::uint32_t value = std::min(counts[node], total - counts[node]);
    if (best && value <= best_value) return;
    best = node;
    best_value = value;
  });
  return best;
}

}  // namespace bisect_run::bisect
