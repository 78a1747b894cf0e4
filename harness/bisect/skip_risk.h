#pragma once

#include <cstdint>
#include <vector>

#include "bisect/graph.h"

namespace bisect_run::bisect {

/// How likely a commit is to fail to build or boot, judged by the failures around it: 1 for a known
/// failure, else max(0.03, 0.9 exp(-links to the nearest failure / 30)); 0 while nothing has failed
/// (statistics.md, section 9).
class SkipRisk {
 public:
  SkipRisk(const Graph& graph, const std::vector<Node>& failures);

  double operator()(Node node) const;
  bool any() const { return !distance_.empty(); }
  bool failed(Node node) const { return any() && distance_[node] == 0; }

 private:
  std::vector<std::uint32_t> distance_;
};

}  // namespace bisect_run::bisect
