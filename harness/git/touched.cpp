// Repository::touched_paths: which files the commits of a range change.
#include <git2.h>

#include <string_view>
#include <unordered_map>

#include "git/repository_access.h"
#include "model/try.h"

namespace bisect_run::git {
namespace {

/// Numbers the paths as they turn up.
class PathNumbers {
 public:
  explicit PathNumbers(std::vector<std::string>& names) : names_(names) {}
  std::uint32_t of(std::string_view path) {
    const auto [place, fresh] =
        numbers_.try_emplace(std::string(path), static_cast<std::uint32_t>(names_.size()));
    if (fresh) names_.emplace_back(path);
    return place->second;
  }

 private:
  std::vector<std::string>& names_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

Result<std::vector<std::uint32_t>> changed(git_repository* repository, const Oid& before,
                                           const Oid& after, PathNumbers& numbers) {
  BR_TRY_ASSIGN(const TreeHandle old_tree, tree_of(repository, before));
  BR_TRY_ASSIGN(const TreeHandle new_tree, tree_of(repository, after));
  git_diff_options options;
  git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
  options.flags = GIT_DIFF_INCLUDE_TYPECHANGE | GIT_DIFF_SKIP_BINARY_CHECK;
  git_diff* made = nullptr;
  const int code =
      git_diff_tree_to_tree(&made, repository, old_tree.get(), new_tree.get(), &options);
  const Handle<git_diff, git_diff_free> diff(made);
  if (code != 0) return std::unexpected(library_error(code, "the paths of " + after.abbreviated()));
  std::vector<std::uint32_t> paths;
  for (std::size_t i = 0; i < git_diff_num_deltas(made); ++i) {
    const git_diff_delta* delta = git_diff_get_delta(made, i);
    paths.push_back(numbers.of(delta->new_file.path));
  }
  return paths;
}

/// Whether the tree has a regular file there.
Result<bool> has_file(const git_tree* tree, const std::string& path) {
  git_tree_entry* found = nullptr;
  const int code = git_tree_entry_bypath(&found, tree, path.c_str());
  const Handle<git_tree_entry, git_tree_entry_free> entry(found);
  if (code == GIT_ENOTFOUND) return false;
  if (code != 0) return std::unexpected(library_error(code, path));
  const git_filemode_t mode = git_tree_entry_filemode(found);
  return mode == GIT_FILEMODE_BLOB || mode == GIT_FILEMODE_BLOB_EXECUTABLE;
}

}  // namespace

Result<TouchedPaths> Repository::touched_paths(const Range& range) const {
  git_repository* repository = state_->handle.get();
  TouchedPaths touched;
  PathNumbers numbers(touched.names);
  touched.of.resize(range.nodes.size());
  for (std::size_t node = range.boundary; node < range.nodes.size(); ++node) {
    const Commit& commit = range.nodes[node];
    if (commit.parents.size() != 1) continue;
    BR_TRY_ASSIGN(touched.of[node],
                  changed(repository, commit.parents.front(), commit.oid, numbers));
  }
  BR_TRY_ASSIGN(const TreeHandle good, tree_of(repository, range.nodes[range.good()].oid));
  BR_TRY_ASSIGN(const TreeHandle bad, tree_of(repository, range.nodes[range.bad()].oid));
  for (const std::string& name : touched.names) {
    BR_TRY_ASSIGN(const bool at_good, has_file(good.get(), name));
    BR_TRY_ASSIGN(const bool at_bad, has_file(bad.get(), name));
    touched.at_both_ends.push_back(at_good && at_bad);
  }
  return touched;
}

}  // namespace bisect_run::git
