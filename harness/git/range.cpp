// Repository::range: the history between two ends, or why there is none.
#include <fmt/format.h>
#include <git2.h>

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

}  // namespace

Result<Range> Repository::range(const Oid& good, const Oid& bad) const {
  if (good == bad)
    return fail(ErrorKind::usage,
                fmt::format("GOOD and BAD are the same commit, {}: nothing lies between them",
                            good.abbreviated()));
  if (shallow())
    return fail(ErrorKind::usage,
                fmt::format("{} is a shallow clone, its history is cut off; fetch the rest with: "
                            "git fetch --unshallow --tags",
                            path().string()));
  BR_TRY_ASSIGN(const RawId from, raw_id(good));
  BR_TRY_ASSIGN(const RawId to, raw_id(bad));
  git_odb* odb = state_->odb.get();
  BR_TRY_ASSIGN(WalkedRange walked,
                walk_range(from, to, [odb](const RawId& id) { return read_commit(odb, id); }));
  if (!walked.good_is_ancestor) return std::unexpected(no_range(state_->handle.get(), good, bad));
  return std::move(walked.range);
}

}  // namespace bisect_run::git
