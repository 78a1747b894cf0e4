#include "bisect/graph.h"

#include <algorithm>
#include <array>
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
    has_merges_ = has_merges_ || range.parents[node].size() > 1;
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

using Counts = std::vector<std::uint32_t>;
constexpr std::size_t kBlockWords = 8;
using Row = std::array<std::uint64_t, kBlockWords>;

/// Bits that are set, added up in ever wider fields. The x86-64 baseline has no instruction for it,
/// so std::popcount is a call, and this is the innermost loop.
std::uint32_t ones(std::uint64_t word) {
  word -= (word >> 1) & 0x5555555555555555;
  word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return static_cast<std::uint32_t>((word * 0x0101010101010101) >> 56);
}

/// Up to 64 members of one set: one word of the rows.
struct Column {
  std::size_t set = 0;
  std::vector<Node> members;
};

std::vector<Column> columns_of(std::span<const NodeSet* const> sets) {
  std::vector<Column> columns;
  for (std::size_t set = 0; set < sets.size(); ++set) {
    bool fresh = true;
    sets[set]->for_each([&](Node node) {
      if (fresh || columns.back().members.size() == 64) columns.push_back({set, {}});
      fresh = false;
      columns.back().members.push_back(node);
    });
  }
  // Columns that begin late in the history together, so that their blocks are short.
  std::stable_sort(columns.begin(), columns.end(), [](const Column& a, const Column& b) {
    return a.members.front() < b.members.front();
  });
  return columns;
}

/// The rows of one block. Most commits have the row of their parent, so they only point to it.
class Block {
 public:
  explicit Block(Node nodes) : row_of_(nodes, 0) {}

  /// Adds to `counts` what each merge has of the block's columns, by set.
  void count(const Graph& graph, std::span<const Column> columns, std::vector<Counts>& counts) {
    rows_.assign(1, Row{});
    // Nothing below the first member of the block has one of its members as an ancestor.
    const Node first = columns.front().members.front();
    std::fill(row_of_.begin(), row_of_.begin() + first, 0);
    std::array<std::size_t, kBlockWords> next{};
    for (Node node = first; node < graph.size(); ++node) {
      const std::span<const Node> parents = graph.parents(node);
      row_of_[node] = parents.empty() ? 0 : row_of_[parents[0]];
      for (std::size_t p = 1; p < parents.size(); ++p) join(node, row_of_[parents[p]]);
      for (std::size_t w = 0; w < columns.size(); ++w) {
        const std::vector<Node>& members = columns[w].members;
        if (next[w] >= members.size() || members[next[w]] != node) continue;
        Row row = rows_[row_of_[node]];
        row[w] |= std::uint64_t{1} << next[w]++;
        set(node, row);
      }
      if (parents.size() < 2 || row_of_[node] == 0) continue;
      const Row& row = rows_[row_of_[node]];
      for (std::size_t w = 0; w < columns.size(); ++w)
        counts[columns[w].set][node] += ones(row[w]);
    }
  }

 private:
  void set(Node node, const Row& row) {
    row_of_[node] = static_cast<std::uint32_t>(rows_.size());
    rows_.push_back(row);
  }
  void join(Node node, std::uint32_t other) {
    if (other == row_of_[node] || other == 0) return;
    Row row = rows_[row_of_[node]];
    for (std::size_t w = 0; w < kBlockWords; ++w) row[w] |= rows_[other][w];
    set(node, row);
  }

  std::vector<std::uint32_t> row_of_;  // by node; 0 is the empty row
  std::vector<Row> rows_;
};

/// All but merges have their parent's ancestors and themselves.
void fill_lines(const Graph& graph, const NodeSet& members, Counts& counts) {
  for (Node node = 0; node < graph.size(); ++node) {
    const auto parents = graph.parents(node);
    if (parents.size() > 1) continue;
    counts[node] = (parents.empty() ? 0 : counts[parents[0]]) + (members.contains(node) ? 1 : 0);
  }
}

}  // namespace

std::vector<Counts> count_ancestors(const Graph& graph, std::span<const NodeSet* const> sets) {
  std::vector<Counts> counts(sets.size(), Counts(graph.size(), 0));
  if (graph.has_merges()) {
    const std::vector<Column> columns = columns_of(sets);
    Block block(graph.size());
    for (std::size_t begin = 0; begin < columns.size(); begin += kBlockWords)
      block.count(graph,
                  std::span(columns).subspan(begin, std::min(kBlockWords, columns.size() - begin)),
                  counts);
  }
  for (std::size_t set = 0; set < sets.size(); ++set) fill_lines(graph, *sets[set], counts[set]);
  return counts;
}

Counts count_ancestors(const Graph& graph, const NodeSet& members) {
  const NodeSet* const set = &members;
  return std::move(count_ancestors(graph, std::span(&set, 1)).front());
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
