// Repository::range: the history between two ends, or why there is none.
#include <fmt/format.h>
#include <git2.h>

#include <vector>

#include "git/first_parents.h"
#include "git/range_walk.h"
#include "git/repository_access.h"
#include "model/try.h"

namespace bisect_run::git {
namespace {

/// GOOD is no ancestor of BAD: says what is the case instead.
Error no_range(git_repository* repository, const Oid& good, const Oid& bad) {
  const auto good_id = raw_id(good), bad_id = raw_id(bad);
  const git_oid one = to_git(*good_id), two = to_git(*bad_id);
  git_oid base;
  const int code = git_merge_base(&base, repository, &one, &two);
  const std::string g = good.abbreviated(), b = bad.abbreviated();
  if (code == GIT_ENOTFOUND)
    return {ErrorKind::usage,
            fmt::format("{} and {} have no common history, so no commit lies between them", g, b),
            {}};
  if (code != 0) return library_error(code, fmt::format("the merge base of {} and {}", g, b));
  if (git_oid_equal(&base, &two))
    return {
        ErrorKind::usage,
        fmt::format("BAD {} is an ancestor of GOOD {}: swapped? The good end comes first; to look "
                    "for the commit that made it better, keep the order of history and add "
                    "--find-fix",
                    b, g),
        {}};
  return {ErrorKind::usage,
          fmt::format("GOOD {} is not an ancestor of BAD {}: they are on different branches, which "
                      "part at {}; if that one is good too, take it as GOOD",
                      g, b, from_git(base).abbreviated()),
          {}};
}

/// Errors: usage, where the good end is BAD itself or no ancestor of it.
Status check_good_end(const Repository& repository, const Oid& good, const Oid& bad, bool met) {
  if (good == bad)
    return fail(ErrorKind::usage,
                fmt::format("GOOD and BAD are the same commit, {}: nothing lies between them",
                            good.abbreviated()));
  if (met) return {};
  BR_TRY_ASSIGN(const bool below, repository.is_ancestor(good, bad));
  if (below) return {};
  return std::unexpected(no_range(RepositoryAccess::handle(repository), good, bad));
}

}  // namespace

Result<bool> Repository::is_ancestor(const Oid& ancestor, const Oid& descendant) const {
  BR_TRY_ASSIGN(const RawId below, raw_id(ancestor));
  BR_TRY_ASSIGN(const RawId above, raw_id(descendant));
  const git_oid one = to_git(below), two = to_git(above);
  if (git_oid_equal(&one, &two)) return true;
  const int code = git_graph_descendant_of(state_->handle.get(), &two, &one);
  if (code < 0) return std::unexpected(library_error(code, "the ancestors of " + descendant.hex));
  return code == 1;
}

Result<Oid> Repository::merge_base(const Oid& one, const Oid& other) const {
  BR_TRY_ASSIGN(const RawId first, raw_id(one));
  BR_TRY_ASSIGN(const RawId second, raw_id(other));
  const git_oid a = to_git(first), b = to_git(second);
  git_oid base;
  const int code = git_merge_base(&base, state_->handle.get(), &a, &b);
  if (code == GIT_ENOTFOUND) return Oid{};
  if (code != 0)
    return std::unexpected(
        library_error(code, fmt::format("the merge base of {} and {}", one.hex, other.hex)));
  return from_git(base);
}

Result<Range> Repository::range(const Oid& good, const Oid& bad, const RangeLimits& limits) const {
  if (shallow())
    return fail(ErrorKind::usage,
                fmt::format("{} is a shallow clone, its history is cut off; fetch the rest with: "
                            "git fetch --unshallow --tags",
                            path().string()));
  std::vector<Oid> ends{good};
  ends.insert(ends.end(), limits.more_good.begin(), limits.more_good.end());
  std::vector<RawId> raw_ends;
  for (const Oid& end : ends) {
    BR_TRY_ASSIGN(const RawId id, raw_id(end));
    raw_ends.push_back(id);
  }
  BR_TRY_ASSIGN(const RawId to, raw_id(bad));
  git_odb* odb = state_->odb.get();
  BR_TRY_ASSIGN(WalkedRange walked,
                walk_range(raw_ends, to, [odb](const RawId& id) { return read_commit(odb, id); }));
  for (std::size_t i = 0; i < ends.size(); ++i)
    BR_TRY(check_good_end(*this, ends[i], bad, walked.met[i]));
  if (limits.first_parent) return first_parents_of(walked.range);
  return std::move(walked.range);
}

}  // namespace bisect_run::git
