#include "bisect/set_back.h"

#include <algorithm>
#include <array>

namespace bisect_run::bisect {

bool shows_when_read(std::string_view path) {
  // Programs for the build itself, and what they pack: their dependency files lie elsewhere or do
  // not exist.
  constexpr std::array<std::string_view, 4> kTools{"scripts/", "tools/", "usr/", "certs/"};
  constexpr std::array<std::string_view, 3> kSource{".c", ".h", ".S"};
  constexpr std::array<std::string_view, 3> kText{".txt", ".rst", ".yaml"};
  const auto begins = [&](std::string_view with) { return path.starts_with(with); };
  const auto ends = [&](std::string_view with) { return path.ends_with(with); };
  if (std::ranges::any_of(kTools, begins) || ends(".lds.S")) return false;
  if (path == "MAINTAINERS" || path == "CREDITS" || path == ".mailmap") return true;
  if (path.starts_with("Documentation/")) return std::ranges::any_of(kText, ends);
  return std::ranges::any_of(kSource, ends);
}

NodeSet set_back(const TouchedPaths& touched, const std::unordered_set<std::string>& read) {
  std::vector<bool> harmless(touched.names.size());
  for (std::size_t i = 0; i < harmless.size(); ++i)
    harmless[i] = touched.at_both_ends[i] && shows_when_read(touched.names[i]) &&
                  !read.contains(touched.names[i]);
  NodeSet nodes(touched.of.size());
  for (Node node = 0; node < touched.of.size(); ++node) {
    const auto& paths = touched.of[node];
    if (!paths.empty() && std::ranges::all_of(paths, [&](auto path) { return harmless[path]; }))
      nodes.insert(node);
  }
  return nodes;
}

}  // namespace bisect_run::bisect
