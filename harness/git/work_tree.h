#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "git/repository.h"
#include "model/kernel.h"

namespace bisect_run::git {

/// A source tree of our own that borrows all objects from the person's repository.
///
/// Layout of its directory: tree/ (the files, without any .git), repo.git/ (index and objects of
/// patched trees), lock, and `unfinished` while a checkout is under way. One user at a time.
class WorkTree {
 public:
  /// Makes the directory or takes up what is there; a broken one is made anew, one that borrowed
  /// from another repository is turned to `origin`. Errors: usage (the directory holds something
  /// else, belongs to another user, or is in use by another process), infra.
  static Result<WorkTree> open(const std::filesystem::path& directory, const Repository& origin);

  WorkTree(WorkTree&&) noexcept;
  WorkTree& operator=(WorkTree&&) noexcept;
  ~WorkTree();

  /// Makes the files exactly those of `commit` with `patches` on top, and returns the name of that
  /// tree: equal names, equal files. Only files that differ are rewritten, the times of all others
  /// stay. Whatever an interrupted checkout or anybody else left in the tree is gone afterwards.
  /// Errors: usage (a patch does not fit) and skip_build (submodules, names that git does not
  /// take), which leave the files as they were; infra.
  Result<std::string> checkout(const Oid& commit, const std::vector<Patch>& patches);

  /// Whether the patches fit on `commit`; no file changes. Errors: usage (they do not), infra.
  Status fits(const Oid& commit, const std::vector<Patch>& patches) const;

  /// The top of the source tree.
  const std::filesystem::path& path() const;

 private:
  struct State;
  explicit WorkTree(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace bisect_run::git
