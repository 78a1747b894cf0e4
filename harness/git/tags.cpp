// Repository::tags_between and message_of: the names of releases, and what a commit says.
#include <git2.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "git/repository_access.h"
#include "model/try.h"

namespace bisect_run::git {
namespace {

/// All tags that are commits, by the commit's name.
std::multimap<std::string, std::string> tagged_commits(git_repository* repository) {
  std::multimap<std::string, std::string> found;
  git_strarray names{};
  if (git_tag_list(&names, repository) != 0) return found;
  for (std::size_t i = 0; i < names.count; ++i) {
    git_object* object = nullptr;
    const std::string name = names.strings[i];
    if (git_revparse_single(&object, repository, ("refs/tags/" + name).c_str()) != 0) continue;
    const ObjectHandle tag(object);
    git_object* peeled = nullptr;
    if (git_object_peel(&peeled, object, GIT_OBJECT_COMMIT) != 0) continue;
    const ObjectHandle commit(peeled);
    found.emplace(from_git(*git_object_id(peeled)).hex, name);
  }
  git_strarray_dispose(&names);
  return found;
}

}  // namespace

Result<std::vector<std::string>> Repository::tags_between(const Oid& from, const Oid& to) const {
  const auto tagged = tagged_commits(state_->handle.get());
  std::vector<std::string> tags;
  const auto add = [&](const Oid& oid) {
    for (auto [at, end] = tagged.equal_range(oid.hex); at != end; ++at) tags.push_back(at->second);
  };
  add(from);
  if (from == to) return tags;
  BR_TRY_ASSIGN(const Range between, range(from, to));
  for (std::size_t node = between.boundary; node < between.nodes.size(); ++node)
    add(between.nodes[node].oid);
  return tags;
}

Result<std::string> Repository::message_of(const Oid& oid) const {
  BR_TRY_ASSIGN(const RawId raw, raw_id(oid));
  const git_oid id = to_git(raw);
  git_commit* commit = nullptr;
  if (const int code = git_commit_lookup(&commit, state_->handle.get(), &id); code != 0)
    return std::unexpected(library_error(code, "the message of " + oid.abbreviated()));
  const ObjectHandle owner(reinterpret_cast<git_object*>(commit));
  const auto* author = git_commit_author(commit);
  const auto* message = git_commit_message_raw(commit);
  return std::string("Author: ") + author->name + " <" + author->email + ">\n\n" +
         (message != nullptr ? message : "");
}

}  // namespace bisect_run::git
