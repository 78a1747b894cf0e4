// Repository::describe, patch_of and undoing_patch_of: a commit as text.
#include <fmt/format.h>
#include <git2.h>

#include "git/repository_access.h"
#include "model/kernel.h"
#include "model/try.h"

namespace bisect_run::git {
namespace {

/// A libgit2 buffer, released at the end.
struct Buffer {
  git_buf raw{};
  ~Buffer() { git_buf_dispose(&raw); }
  std::string text() const { return {raw.ptr, raw.size}; }
};

Result<TreeHandle> tree_of_parent(git_repository* repository, const Commit& commit) {
  if (commit.parents.empty()) return TreeHandle();
  return tree_of(repository, commit.parents.front());
}

/// What lies between two trees, as git prints it.
Result<std::string> difference(git_repository* repository, const TreeHandle& before,
                               const TreeHandle& after, const Oid& commit) {
  git_diff_options options;
  git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
  options.old_prefix = "a";  // the person may have set diff.noprefix
  options.new_prefix = "b";
  options.context_lines = 3;
  options.id_abbrev = 12;
  git_diff* made = nullptr;
  int code = git_diff_tree_to_tree(&made, repository, before.get(), after.get(), &options);
  const Handle<git_diff, git_diff_free> diff(made);
  Buffer buffer;
  if (code == 0) code = git_diff_to_buf(&buffer.raw, made, GIT_DIFF_FORMAT_PATCH);
  if (code != 0)
    return std::unexpected(library_error(code, "the change of " + commit.abbreviated()));
  if (buffer.raw.size > kLongestPatch)
    return fail(ErrorKind::usage,
                fmt::format("the change of {} is a patch of {} MiB, and more than {} MiB are not "
                            "taken",
                            commit.abbreviated(), buffer.raw.size >> 20, kLongestPatch >> 20));
  return buffer.text();
}

}  // namespace

Result<std::string> Repository::patch_of(const Oid& oid) const {
  BR_TRY_ASSIGN(const Commit commit, this->commit(oid));
  if (commit.parents.size() > 1)
    return fail(
        ErrorKind::usage,
        fmt::format("{} is a merge; which side is meant is not clear, name the commit of it "
                    "that is wanted",
                    oid.abbreviated()));
  git_repository* repository = state_->handle.get();
  BR_TRY_ASSIGN(const TreeHandle before, tree_of_parent(repository, commit));
  BR_TRY_ASSIGN(const TreeHandle after, tree_of(repository, oid));
  return difference(repository, before, after, oid);
}

Result<std::string> Repository::undoing_patch_of(const Oid& oid) const {
  BR_TRY_ASSIGN(const Commit commit, this->commit(oid));
  if (commit.parents.size() != 1)
    return fail(ErrorKind::usage,
                commit.parents.empty()
                    ? oid.abbreviated() + " has no parent to go back to"
                    : oid.abbreviated() + " is a merge: there is no one parent to go back to");
  git_repository* repository = state_->handle.get();
  BR_TRY_ASSIGN(const TreeHandle before, tree_of_parent(repository, commit));
  BR_TRY_ASSIGN(const TreeHandle after, tree_of(repository, oid));
  return difference(repository, after, before, oid);
}

std::string Repository::describe(const Oid& oid) const {
  const auto tagged = [&]() -> std::string {
    const auto raw = raw_id(oid);
    if (!raw) return {};
    const git_oid id = to_git(*raw);
    git_object* found = nullptr;
    if (git_object_lookup(&found, state_->handle.get(), &id, GIT_OBJECT_COMMIT) != 0) return {};
    const ObjectHandle commit(found);
    git_describe_options options;
    git_describe_options_init(&options, GIT_DESCRIBE_OPTIONS_VERSION);
    options.describe_strategy = GIT_DESCRIBE_TAGS;
    git_describe_result* made = nullptr;
    if (git_describe_commit(&made, found, &options) != 0) return {};
    const Handle<git_describe_result, git_describe_result_free> result(made);
    git_describe_format_options format;
    git_describe_format_options_init(&format, GIT_DESCRIBE_FORMAT_OPTIONS_VERSION);
    format.abbreviated_size = 12;
    Buffer buffer;
    if (git_describe_format(&buffer.raw, made, &format) != 0) return {};
    return buffer.text();
  }();
  return tagged.empty() ? oid.abbreviated() : tagged;
}

}  // namespace bisect_run::git
