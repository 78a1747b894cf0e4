// Repository::touching: which commits of a range change some paths.
#include <fmt/format.h>
#include <git2.h>

#include <algorithm>

#include "git/repository_access.h"
#include "model/try.h"

namespace bisect_run::git {
namespace {

using Names = std::vector<Oid>;  // of what lies at each path; empty: nothing

/// From the top, without the decoration a shell's completion leaves.
std::string plain(std::string path) {
  while (path.starts_with("./")) path.erase(0, 2);
  while (path.ends_with('/')) path.pop_back();
  return path;
}

Result<Names> names_at(git_repository* repository, const Oid& commit,
                       const std::vector<std::string>& paths) {
  BR_TRY_ASSIGN(const TreeHandle tree, tree_of(repository, commit));
  Names names;
  for (const auto& path : paths) {
    git_tree_entry* found = nullptr;
    const int code = path.empty() || path == "."
                         ? GIT_ENOTFOUND
                         : git_tree_entry_bypath(&found, tree.get(), path.c_str());
    const Handle<git_tree_entry, git_tree_entry_free> entry(found);
    if (code != 0 && code != GIT_ENOTFOUND)
      return std::unexpected(library_error(code, fmt::format("{} at {}", path, commit.hex)));
    names.push_back(code == 0 ? from_git(*git_tree_entry_id(found)) : Oid{});
  }
  return names;
}

}  // namespace

Result<std::vector<bool>> Repository::touching(const Range& range,
                                               const std::vector<std::string>& given) const {
  std::vector<std::string> paths;
  for (const auto& path : given) paths.push_back(plain(path));
  std::vector<Names> names;
  for (const auto& node : range.nodes) {
    BR_TRY_ASSIGN(auto found, names_at(state_->handle.get(), node.oid, paths));
    names.push_back(std::move(found));
  }
  std::vector<bool> touched(range.nodes.size(), false);
  std::vector<bool> used(paths.size(), false);
  for (std::uint32_t node = range.boundary; node < range.nodes.size(); ++node) {
    for (std::size_t k = 0; k < paths.size(); ++k) {
      const auto& parents = range.parents[node];
      const bool changes = parents.empty() ? !names[node][k].empty()
                                           : std::ranges::all_of(parents, [&](auto parent) {
                                               return names[parent][k] != names[node][k];
                                             });
      if (!changes) continue;
      touched[node] = true;
      used[k] = true;
    }
  }
  for (std::size_t k = 0; k < paths.size(); ++k)
    if (!used[k])
      return fail(ErrorKind::usage,
                  fmt::format("--paths: no commit between GOOD and BAD touches '{}'; paths start "
                              "at the top of the kernel tree, such as kernel/ or net/core/dev.c",
                              given[k]));
  return touched;
}

}  // namespace bisect_run::git
