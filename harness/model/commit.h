#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bisect_run {

/// A git object name: 40 lower-case hex digits (64 in a SHA-256 repository).
struct Oid {
  std::string hex;

  auto operator<=>(const Oid&) const = default;
  bool empty() const { return hex.empty(); }
  /// The 12 digits that kernel people write.
  std::string abbreviated() const { return hex.substr(0, 12); }
};

struct Commit {
  Oid oid;
  std::string subject;            ///< first line of the message, bytes as in the repository
  std::int64_t commit_time = 0;   ///< seconds since the epoch
  std::vector<Oid> parents;       ///< all of them, in git's order
};

/// What lies between a good and a bad end, ready for bisection.
///
/// `nodes` holds first the boundary (known good by ancestry: the good end at index 0, then every
/// other parent that lies outside), then the candidates in topological order, parents first, the
/// bad end last. A candidate is an ancestor-or-self of BAD that is no ancestor-or-self of GOOD.
struct Range {
  std::vector<Commit> nodes;
  std::vector<std::vector<std::uint32_t>> parents;  ///< of each node, as indices; empty for boundary nodes
  std::uint32_t boundary = 0;                       ///< number of boundary nodes, at least 1

  std::size_t candidates() const { return nodes.size() - boundary; }
  std::uint32_t good() const { return 0; }
  std::uint32_t bad() const { return static_cast<std::uint32_t>(nodes.size()) - 1; }
};

}  // namespace bisect_run
