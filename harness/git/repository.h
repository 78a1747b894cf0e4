#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "model/commit.h"
#include "model/error.h"
#include "model/touched_paths.h"

namespace bisect_run::git {

/// What narrows a range beside its two ends.
struct RangeLimits {
  std::vector<Oid> more_good;  ///< further good ends, each an ancestor of BAD
  bool first_parent = false;   ///< follow merges along their first parent only
};

/// The person's repository. Only ever read: no file, time or lock under it changes.
///
/// Bare mirrors, linked worktrees and subdirectories will do. For one thread at a time.
/// An object that ought to be there and is not is ErrorKind::infra in every call.
class Repository {
 public:
  /// Errors, usage: no such directory, no repository, one that belongs to somebody else, a partial
  /// clone, SHA-256 object names or another extension that cannot be read.
  static Result<Repository> open(const std::filesystem::path& anywhere_inside);

  Repository(Repository&&) noexcept;
  Repository& operator=(Repository&&) noexcept;
  ~Repository();

  /// The commit that git means by `revision`: tags are peeled, short object names, v3.9~3,
  /// HEAD@{1}, :/text and so on. Errors, usage: unknown (with names near it), ambiguous, no commit.
  Result<Oid> resolve(const std::string& revision) const;

  Result<Commit> commit(const Oid& oid) const;
  /// The name of the commit's tree: equal names, equal files.
  Result<std::string> tree_name(const Oid& commit) const;

  /// Whether `commit` is `ancestor` (an object name, maybe shortened) or comes after it. A commit
  /// that the repository does not have is contained in none.
  Result<bool> contains(const Oid& commit, const std::string& ancestor) const;

  /// What BAD reaches and GOOD does not, as a graph. Errors, usage: equal or swapped ends, ends on
  /// different branches (with the merge base), unrelated histories, a shallow clone.
  Result<Range> range(const Oid& good, const Oid& bad, const RangeLimits& limits = {}) const;

  /// For each node of a range of this repository, whether it is a candidate that changes one of
  /// `paths` (files or directories from the top): that differs there from all parents it has in
  /// the range. Errors, usage: a path that no candidate changes.
  Result<std::vector<bool>> touching(const Range& range,
                                     const std::vector<std::string>& paths) const;

  /// Errors: infra.
  Result<bool> is_ancestor(const Oid& ancestor, const Oid& descendant) const;
  /// The best common ancestor; empty where the histories are unrelated.
  Result<Oid> merge_base(const Oid& one, const Oid& other) const;

  /// The content of a file of a commit. Errors, usage: there is none.
  Result<std::string> file(const Oid& commit, const std::string& path) const;

  /// What the commit changes against its parent, as a patch that can be applied elsewhere.
  /// Errors, usage: it is a merge, or changes more than kLongestPatch holds.
  Result<std::string> patch_of(const Oid& commit) const;

  /// The tags of commits from `from` to `to`, both included, in the order of history. Errors: those
  /// of range().
  Result<std::vector<std::string>> tags_between(const Oid& from, const Oid& to) const;

  /// A line `Author: NAME <ADDRESS>`, a blank one, and the whole message of a commit.
  Result<std::string> message_of(const Oid& commit) const;
  /// The same backwards: what turns the commit's files into its parent's.
  /// Errors, usage: it is a merge, has no parent, or changes more than kLongestPatch holds.
  Result<std::string> undoing_patch_of(const Oid& commit) const;

  /// The paths that each commit of the range touches; a rename is two of them. Merges and boundary
  /// nodes have none.
  Result<TouchedPaths> touched_paths(const Range& range) const;

  /// As `git describe --tags`: v3.15-12-g0123456789ab; the first 12 digits where no tag is near.
  std::string describe(const Oid& commit) const;

  /// The top of the work tree; of a bare repository, its git directory.
  std::filesystem::path path() const;
  /// Of a linked worktree: its own one, under worktrees/ of the main repository.
  std::filesystem::path git_dir() const;
  /// Where all commits are, also those of alternates of the repository.
  std::filesystem::path object_directory() const;
  bool shallow() const;

 private:
  struct State;
  friend struct RepositoryAccess;
  explicit Repository(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace bisect_run::git
