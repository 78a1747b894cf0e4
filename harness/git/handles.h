#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "git/commit_text.h"
#include "model/commit.h"
#include "model/error.h"

// Owners of libgit2's handles, for the .cpp files of this room. The types are only named here.

struct git_repository;
struct git_odb;
struct git_object;
struct git_tree;
struct git_oid;

namespace bisect_run::git {

template <class T, void (*release)(T*)>
struct Releaser {
  void operator()(T* handle) const { release(handle); }
};
template <class T, void (*release)(T*)>
using Handle = std::unique_ptr<T, Releaser<T, release>>;

void release_repository(git_repository* repository);
void release_odb(git_odb* odb);
void release_object(git_object* object);
void release_tree(git_tree* tree);

using RepositoryHandle = Handle<git_repository, release_repository>;
using OdbHandle = Handle<git_odb, release_odb>;
using ObjectHandle = Handle<git_object, release_object>;
using TreeHandle = Handle<git_tree, release_tree>;

/// Starts libgit2 once and tells it what this room can live with. Ownership of repositories is
/// not checked by it: see ownership.h.
void start_library();

/// What libgit2 said last on this thread; never empty.
std::string library_message();

/// `code` of a failed call, as an error: a missing or damaged object is infra and says so.
Error library_error(int code, std::string_view what);

/// Errors: bug, when `oid` is no SHA-1 object name.
Result<RawId> raw_id(const Oid& oid);
git_oid to_git(const RawId& id);
Oid from_git(const git_oid& id);

/// The tree of a commit or tree. Errors: infra when it is not there.
Result<TreeHandle> tree_of(git_repository* repository, const Oid& commit_or_tree);

}  // namespace bisect_run::git
