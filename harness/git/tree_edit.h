#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "git/handles.h"
#include "model/error.h"

namespace bisect_run::git {

/// Changes to the files of a tree, kept in memory until they are written as a new tree.
///
/// Objects go into the repository given, and only those that it, or what it borrows from, does
/// not have: writing one again would renew the time stamp of the file that holds it.
class TreeEdit {
 public:
  struct File {
    std::string content;
    std::uint32_t mode = 0100644;
  };

  /// `repository` must outlive this. Errors: infra when the tree is not there.
  static Result<TreeEdit> begin(git_repository* repository, const Oid& commit_or_tree);

  /// The file as it is now; no value where there is none. Errors: usage (a directory or a
  /// submodule is in that place), infra.
  Result<std::optional<File>> read(const std::string& path) const;

  /// Errors: usage, when a directory stands there or a file stands where a directory must be.
  Status write(const std::string& path, File file);
  void remove(const std::string& path);

  /// The name of the new tree. Errors: infra.
  Result<Oid> commit_tree();

 private:
  // Path to new content; nothing means removed.
  using Changes = std::map<std::string, std::optional<File>>;

  TreeEdit(git_repository* repository, TreeHandle base)
      : repository_(repository), base_(std::move(base)) {}
  std::optional<std::uint32_t> mode_at(const std::string& path) const;

  git_repository* repository_;
  TreeHandle base_;
  Changes changes_;
};

/// True when any tree below holds a submodule. Reads every tree: for commits with .gitmodules.
Result<bool> has_submodules(git_repository* repository, const Oid& commit_or_tree);

}  // namespace bisect_run::git
