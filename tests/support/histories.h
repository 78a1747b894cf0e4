#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "model/commit.h"

// Ranges made up for tests: node 0 is GOOD, node numbers are indices into Range::nodes.

namespace bisect_run::test {

using ParentLists = std::vector<std::vector<std::uint32_t>>;

/// A range whose first `boundary` nodes are the boundary; oids are the node numbers, padded.
inline Range make_range(ParentLists parents, std::uint32_t boundary = 1) {
  Range range;
  range.boundary = boundary;
  for (std::size_t node = 0; node < parents.size(); ++node) {
    std::string digits = std::to_string(node);
    Commit commit;
    commit.oid.hex = std::string(40 - digits.size(), '0') + digits;
    commit.subject = "commit " + digits;
    range.nodes.push_back(std::move(commit));
  }
  for (std::size_t node = 0; node < parents.size(); ++node)
    for (std::uint32_t parent : parents[node])
      range.nodes[node].parents.push_back(range.nodes[parent].oid);
  range.parents = std::move(parents);
  return range;
}

/// GOOD, then `candidates` commits in a line.
inline Range linear_range(std::uint32_t candidates) {
  ParentLists parents(1);
  for (std::uint32_t node = 1; node <= candidates; ++node) parents.push_back({node - 1});
  return make_range(std::move(parents));
}

/// A random history in which every commit reaches BAD: each new commit continues, branches off or
/// merges, at the end all heads are merged. `merge_share` of the commits are merges, about.
inline Range random_range(std::mt19937_64& random, std::uint32_t candidates,
                          double merge_share = 0.2) {
  const auto chance = [&] { return std::uniform_real_distribution<double>()(random); };
  const auto pick = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  ParentLists parents(1);
  std::vector<std::uint32_t> heads{0};
  const auto add = [&](std::vector<std::uint32_t> of) {
    const auto node = static_cast<std::uint32_t>(parents.size());
    parents.push_back(of);
    for (std::uint32_t parent : of) std::erase(heads, parent);
    heads.push_back(node);
  };
  while (parents.size() + heads.size() < candidates + 1) {
    if (heads.size() > 1 && chance() < merge_share * 2) {
      const std::uint32_t first = heads[pick(heads.size())];
      std::uint32_t second = heads[pick(heads.size())];
      if (first != second) add({first, second});
    } else if (chance() < merge_share) {
      // From an old commit: its child list grows, other heads stay.
      const auto from = static_cast<std::uint32_t>(pick(parents.size()));
      parents.push_back({from});
      std::erase(heads, from);
      heads.push_back(static_cast<std::uint32_t>(parents.size()) - 1);
    } else {
      add({heads[pick(heads.size())]});
    }
  }
  while (heads.size() > 1) add({heads[0], heads[1]});
  return make_range(std::move(parents));
}

}  // namespace bisect_run::test
