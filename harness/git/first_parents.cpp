#include "git/first_parents.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace bisect_run::git {

Result<Range> first_parents_of(const Range& range) {
  std::vector<std::uint32_t> way;
  std::uint32_t at = range.bad();
  for (; at >= range.boundary; at = range.parents[at].front()) {
    way.push_back(at);
    if (range.parents[at].empty())
      return fail(ErrorKind::usage,
                  fmt::format("--first-parent: the first parents of BAD {} do not lead to a good "
                              "commit, but to the root {}; leave the option out",
                              range.nodes[range.bad()].oid.abbreviated(),
                              range.nodes[at].oid.abbreviated()));
  }
  Range line;
  line.nodes.push_back(range.nodes[range.good()]);
  if (at != range.good()) line.nodes.push_back(range.nodes[at]);
  line.boundary = static_cast<std::uint32_t>(line.nodes.size());
  line.parents.resize(line.boundary);
  std::ranges::reverse(way);
  for (const auto node : way) {
    line.parents.push_back({static_cast<std::uint32_t>(line.nodes.size()) - 1});
    line.nodes.push_back(range.nodes[node]);
  }
  return line;
}

}  // namespace bisect_run::git
