#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bisect/strategy.h"

namespace bisect_run::bisect {

/// A set of nodes of one graph, one bit each.
class NodeSet {
 public:
  NodeSet() = default;
  explicit NodeSet(std::size_t size) : size_(size), words_((size + 63) / 64, 0) {}

  std::size_t size() const { return size_; }
  bool contains(Node node) const { return (words_[node / 64] >> (node % 64)) & 1U; }
  void insert(Node node) { words_[node / 64] |= std::uint64_t{1} << (node % 64); }
  void erase(Node node) { words_[node / 64] &= ~(std::uint64_t{1} << (node % 64)); }

  NodeSet& operator&=(const NodeSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
    return *this;
  }
  NodeSet& operator|=(const NodeSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
  }
  NodeSet& operator-=(const NodeSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
    return *this;
  }
  bool operator==(const NodeSet&) const = default;

  std::size_t count() const {
    std::size_t total = 0;
    for (std::uint64_t word : words_) total += static_cast<std::size_t>(std::popcount(word));
    return total;
  }
  bool empty() const {
    for (std::uint64_t word : words_)
      if (word != 0) return false;
    return true;
  }

  /// Calls `visit` for every member, in ascending (topological) order.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t word = words_[i]; word != 0; word &= word - 1)
        visit(static_cast<Node>(i * 64 + static_cast<std::size_t>(std::countr_zero(word))));
  }
  std::vector<Node> nodes() const {
    std::vector<Node> members;
    for_each([&](Node node) { members.push_back(node); });
    return members;
  }

 private:
  std::size_t size_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace bisect_run::bisect
