#include "git/handles.h"

#include <fmt/format.h>
#include <git2.h>

#include <algorithm>
#include <iterator>

#include "model/try.h"

namespace bisect_run::git {

void release_repository(git_repository* repository) {
  git_repository_free(repository);
}
void release_odb(git_odb* odb) {
  git_odb_free(odb);
}
void release_object(git_object* object) {
  git_object_free(object);
}
void release_tree(git_tree* tree) {
  git_tree_free(tree);
}

void start_library() {
  static const bool started = [] {
    git_libgit2_init();
    // Harmless for a reader. Partial clones are opened only to be refused with a better message.
    const char* known[] = {"worktreeconfig", "preciousobjects", "partialclone"};
    git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, known, std::size(known));
    // Version 1.5 takes a foreign owner for "not found" and does not know safe.directory=*; git is
    // asked instead, see ownership.h.
    git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
    // As git itself: what a pack holds was checked when it came.
    git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
    return true;
  }();
  static_cast<void>(started);
}

std::string library_message() {
  const git_error* error = git_error_last();
  return error && error->message ? error->message : "libgit2 gives no reason";
}

Error library_error(int code, std::string_view what) {
  const std::string reason = library_message();
  if (code == GIT_ENOTFOUND)
    return {ErrorKind::infra,
            fmt::format("{}: an object is missing from the repository; `git fsck` there shows "
                        "what else is damaged",
                        what),
            reason};
  return {ErrorKind::infra, fmt::format("{}: {}", what, reason), reason};
}

Result<RawId> raw_id(const Oid& oid) {
  git_oid id;
  if (oid.hex.size() != GIT_OID_HEXSZ || git_oid_fromstr(&id, oid.hex.c_str()) != 0)
    return fail(ErrorKind::bug, fmt::format("'{}' is no object name", oid.hex));
  RawId raw;
  std::copy(std::begin(id.id), std::end(id.id), raw.begin());
  return raw;
}

git_oid to_git(const RawId& raw) {
  git_oid id;
  std::copy(raw.begin(), raw.end(), std::begin(id.id));
  return id;
}

Oid from_git(const git_oid& id) {
  std::string hex(GIT_OID_HEXSZ, '0');
  git_oid_fmt(hex.data(), &id);
  return Oid{std::move(hex)};
}

Result<TreeHandle> tree_of(git_repository* repository, const Oid& commit_or_tree) {
  BR_TRY_ASSIGN(const RawId raw, raw_id(commit_or_tree));
  const git_oid id = to_git(raw);
  git_object* object = nullptr;
  int code = git_object_lookup(&object, repository, &id, GIT_OBJECT_ANY);
  const ObjectHandle any(object);
  git_object* tree = nullptr;
  if (code == 0) code = git_object_peel(&tree, object, GIT_OBJECT_TREE);
  if (code != 0)
    return std::unexpected(library_error(code, "the tree of " + commit_or_tree.abbreviated()));
  return TreeHandle(reinterpret_cast<git_tree*>(tree));
}

}  // namespace bisect_run::git
