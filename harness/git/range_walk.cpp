#include "git/range_walk.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <queue>
#include <string>
#include <unordered_map>
#include <utility>

#include "model/try.h"

namespace bisect_run::git {
namespace {

using Index = std::uint32_t;

struct IdHash {
  std::size_t operator()(const RawId& id) const {
    std::size_t hash = 0;  // an object name is evenly spread already
    std::memcpy(&hash, id.data(), sizeof hash);
    return hash;
  }
};

struct Node {
  RawId id{};
  CommitText text;
  std::vector<Index> parents;  // known once visited
  bool from_bad = false;
  bool from_good = false;
  bool visited = false;

  bool candidate() const { return from_bad && !from_good; }
};

/// How far the good side is followed once nothing undecided is left: so many commits, and always
/// down to a day before the oldest candidate.
constexpr int slop_commits = 1024;
constexpr std::int64_t slop_seconds = 24 * 3600;

class Walk {
 public:
  explicit Walk(const CommitReader& read) : read_(read) {}

  Status run(std::span<const RawId> good, const RawId& bad) {
    for (const RawId& end : good) {
      BR_TRY_ASSIGN(const Index index, node_of(end));
      good_.push_back(index);
    }
    BR_TRY_ASSIGN(bad_, node_of(bad));
    for (const Index end : good_) mark_good(end);
    mark_bad(bad_);
    for (int after = 0; !queue_.empty() && !finished(after);) {
      const Index next = queue_.top().second;
      queue_.pop();
      BR_TRY(visit(next));
      after = undecided_ == 0 ? after + 1 : 0;
    }
    return {};
  }

  std::vector<bool> met() const {
    std::vector<bool> met;
    for (const Index end : good_) met.push_back(nodes_[end].from_bad);
    return met;
  }
  Range range() const;

 private:
  Result<Index> node_of(const RawId& id) {
    const auto [place, fresh] = by_id_.try_emplace(id, static_cast<Index>(nodes_.size()));
    if (!fresh) return place->second;
    BR_TRY_ASSIGN(CommitText text, read_(id));
    nodes_.push_back({.id = id, .text = std::move(text), .parents = {}});
    queue_.emplace(nodes_.back().text.commit_time, place->second);
    return place->second;
  }

  bool finished(int after) const {
    return undecided_ == 0 && after >= slop_commits &&
           queue_.top().first < oldest_candidate_ - slop_seconds;
  }

  Status visit(Index index) {
    std::vector<Index> parents;
    const std::vector<RawId> ids = nodes_[index].text.parents;  // nodes_ grows meanwhile
    for (const RawId& id : ids) {
      BR_TRY_ASSIGN(const Index parent, node_of(id));
      parents.push_back(parent);
    }
    Node& node = nodes_[index];
    node.parents = parents;
    node.visited = true;
    if (node.candidate()) {
      --undecided_;
      oldest_candidate_ = std::min(oldest_candidate_, node.text.commit_time);
      for (const Index parent : parents) mark_bad(parent);
    }
    if (node.from_good)
      for (const Index parent : parents) mark_good(parent);
    return {};
  }

  void mark_bad(Index index) {
    Node& node = nodes_[index];
    if (node.from_bad) return;
    node.from_bad = true;
    if (!node.visited && !node.from_good) ++undecided_;
  }

  /// Also takes back what was thought a candidate before this path was known.
  void mark_good(Index first) {
    std::vector<Index> pending{first};
    while (!pending.empty()) {
      Node& node = nodes_[pending.back()];
      pending.pop_back();
      if (node.from_good) continue;
      node.from_good = true;
      if (!node.visited) {
        if (node.from_bad) --undecided_;
        continue;
      }
      pending.insert(pending.end(), node.parents.begin(), node.parents.end());
    }
  }

  std::vector<Index> boundary(const std::vector<Index>& candidates) const;
  std::vector<Index> candidates_parents_first() const;

  const CommitReader& read_;
  std::vector<Node> nodes_;
  std::unordered_map<RawId, Index, IdHash> by_id_;
  std::priority_queue<std::pair<std::int64_t, Index>> queue_;
  std::vector<Index> good_;
  Index bad_ = 0;
  int undecided_ = 0;  // candidates that wait in the queue
  std::int64_t oldest_candidate_ = std::numeric_limits<std::int64_t>::max();
};

/// Oldest first among those whose parents are all placed; the object name breaks ties.
std::vector<Index> Walk::candidates_parents_first() const {
  const auto later = [this](Index a, Index b) {
    return std::pair(nodes_[a].text.commit_time, nodes_[a].id) >
           std::pair(nodes_[b].text.commit_time, nodes_[b].id);
  };
  std::priority_queue<Index, std::vector<Index>, decltype(later)> ready(later);
  std::vector<std::vector<Index>> children(nodes_.size());
  std::vector<std::size_t> missing(nodes_.size());
  for (Index i = 0; i < nodes_.size(); ++i) {
    if (!nodes_[i].candidate()) continue;
    for (const Index parent : nodes_[i].parents) {
      if (!nodes_[parent].candidate()) continue;
      children[parent].push_back(i);
      ++missing[i];
    }
    if (missing[i] == 0) ready.push(i);
  }
  std::vector<Index> order;
  while (!ready.empty()) {
    order.push_back(ready.top());
    ready.pop();
    for (const Index child : children[order.back()])
      if (--missing[child] == 0) ready.push(child);
  }
  return order;
}

/// GOOD, then the other parents outside in the order of the candidates that name them.
std::vector<Index> Walk::boundary(const std::vector<Index>& candidates) const {
  std::vector<Index> outside{good_.front()};
  std::vector<bool> seen(nodes_.size());
  seen[good_.front()] = true;
  for (const Index candidate : candidates) {
    for (const Index parent : nodes_[candidate].parents) {
      if (nodes_[parent].candidate() || seen[parent]) continue;
      seen[parent] = true;
      outside.push_back(parent);
    }
  }
  return outside;
}

Range Walk::range() const {
  const std::vector<Index> candidates = candidates_parents_first();
  std::vector<Index> order = boundary(candidates);
  Range range;
  range.boundary = static_cast<std::uint32_t>(order.size());
  order.insert(order.end(), candidates.begin(), candidates.end());
  std::vector<Index> place(nodes_.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<Index>(i);
  for (const Index index : order) {
    const Node& node = nodes_[index];
    Commit commit{Oid{to_hex(node.id)}, node.text.subject, node.text.commit_time, {}};
    for (const RawId& parent : node.text.parents) commit.parents.push_back(Oid{to_hex(parent)});
    std::vector<Index> inside;
    if (node.candidate())
      for (const Index parent : node.parents) inside.push_back(place[parent]);
    range.nodes.push_back(std::move(commit));
    range.parents.push_back(std::move(inside));
  }
  return range;
}

}  // namespace

bool WalkedRange::all_met() const {
  return std::ranges::all_of(met, [](bool one) { return one; });
}

Result<WalkedRange> walk_range(std::span<const RawId> good, const RawId& bad,
                               const CommitReader& read) {
  Walk walk(read);
  BR_TRY(walk.run(good, bad));
  WalkedRange walked;
  walked.met = walk.met();
  walked.range = walk.range();
  return walked;
}

}  // namespace bisect_run::git
