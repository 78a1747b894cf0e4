#include "git/repository.h"

#include <fmt/format.h>
#include <git2.h>

#include <string_view>
#include <system_error>
#include <utility>

#include "git/ownership.h"
#include "git/repository_access.h"
#include "model/try.h"

namespace bisect_run::git {
namespace {

namespace fs = std::filesystem;

std::unexpected<Error> cannot_open(int code, const fs::path& place) {
  const std::string reason = library_message();
  const std::string path = place.string();
  if (code == GIT_ENOTFOUND)
    return fail(ErrorKind::usage,
                fmt::format("{} is not inside a git repository; name one with --repo", path),
                reason);
  if (reason.find("objectformat") != std::string::npos)
    return fail(
        ErrorKind::usage,
        fmt::format("the repository at {} does not use SHA-1 object names, and no other can "
                    "be read; kernel repositories use SHA-1",
                    path),
        reason);
  if (reason.find("extension") != std::string::npos || reason.find("version") != std::string::npos)
    return fail(ErrorKind::usage,
                fmt::format("the repository at {} uses something that cannot be read ({}); a plain "
                            "clone of it will do: git clone --bare",
                            path, reason),
                reason);
  return fail(ErrorKind::infra,
              fmt::format("the repository at {} cannot be opened: {}", path, reason));
}

/// Looks at names itself: libgit2 1.5 leaks memory for every name it matches with a pattern.
int note_promisor(const git_config_entry* entry, void* into) {
  const std::string_view name = entry->name;
  int value = 0;
  if (name.starts_with("remote.") && name.ends_with(".promisor") &&
      git_config_parse_bool(&value, entry->value ? entry->value : "true") == 0 && value)
    *static_cast<std::string*>(into) = name;
  return 0;
}

/// Name of the remote that promises missing objects; empty in a complete clone.
std::string promisor(git_repository* repository) {
  git_config* config = nullptr;
  if (git_repository_config_snapshot(&config, repository) != 0) return {};
  const Handle<git_config, git_config_free> owner(config);
  const char* remote = nullptr;
  if (git_config_get_string(&remote, config, "extensions.partialclone") == 0) return remote;
  std::string found;
  git_config_foreach(config, note_promisor, &found);
  return found;
}

fs::path without_slash(const char* directory) {
  fs::path path(directory);
  return path.has_filename() ? path : path.parent_path();
}

}  // namespace

Repository::Repository(std::unique_ptr<State> state) : state_(std::move(state)) {}
Repository::Repository(Repository&&) noexcept = default;
Repository& Repository::operator=(Repository&&) noexcept = default;
Repository::~Repository() = default;

Result<Repository> Repository::open(const fs::path& anywhere_inside) {
  start_library();
  std::error_code ignored;
  const fs::path place = fs::absolute(anywhere_inside, ignored);
  if (!fs::exists(place, ignored))
    return fail(ErrorKind::usage,
                fmt::format("there is no {}; name a repository with --repo", place.string()));
  git_repository* opened = nullptr;
  const int code = git_repository_open_ext(&opened, place.c_str(), 0, nullptr);
  RepositoryHandle handle(opened);
  if (code != 0) return cannot_open(code, place);
  if (const std::string remote = promisor(opened); !remote.empty())
    return fail(
        ErrorKind::usage,
        fmt::format("the repository at {} is a partial clone ({}): commits would have to be "
                    "fetched in the night; make it whole with: git fetch --refetch "
                    "--no-filter, or clone without --filter",
                    place.string(), remote));
  git_odb* odb = nullptr;
  if (const int fault = git_repository_odb(&odb, opened); fault != 0)
    return std::unexpected(library_error(fault, "the objects of " + place.string()));
  Repository repository(std::make_unique<State>(State{std::move(handle), OdbHandle(odb)}));
  BR_TRY(check_owner(repository));
  return repository;
}

fs::path Repository::path() const {
  const char* top = git_repository_workdir(state_->handle.get());
  return top ? without_slash(top) : git_dir();
}

fs::path Repository::git_dir() const {
  return without_slash(git_repository_path(state_->handle.get()));
}

fs::path Repository::object_directory() const {
  return without_slash(git_repository_commondir(state_->handle.get())) / "objects";
}

bool Repository::shallow() const {
  std::error_code none;
  const auto size = fs::file_size(object_directory().parent_path() / "shallow", none);
  return !none && size > 0;
}

Result<CommitText> read_commit(git_odb* odb, const RawId& raw) {
  const git_oid id = to_git(raw);
  git_odb_object* read = nullptr;
  const int code = git_odb_read(&read, odb, &id);
  const Handle<git_odb_object, git_odb_object_free> object(read);
  if (code != 0) return std::unexpected(library_error(code, "commit " + to_hex(raw)));
  if (git_odb_object_type(read) != GIT_OBJECT_COMMIT)
    return fail(ErrorKind::usage, fmt::format("{} is not a commit", to_hex(raw)));
  return parse_commit(
      {static_cast<const char*>(git_odb_object_data(read)), git_odb_object_size(read)});
}

Result<Commit> Repository::commit(const Oid& oid) const {
  BR_TRY_ASSIGN(const RawId id, raw_id(oid));
  BR_TRY_ASSIGN(const CommitText text, read_commit(state_->odb.get(), id));
  Commit commit{oid, text.subject, text.commit_time, {}};
  for (const RawId& parent : text.parents) commit.parents.push_back(Oid{to_hex(parent)});
  return commit;
}

Result<std::string> Repository::tree_name(const Oid& commit) const {
  BR_TRY_ASSIGN(const TreeHandle tree, tree_of(state_->handle.get(), commit));
  return from_git(*git_tree_id(tree.get())).hex;
}

Result<std::string> Repository::file(const Oid& oid, const std::string& path) const {
  BR_TRY_ASSIGN(const TreeHandle tree, tree_of(state_->handle.get(), oid));
  git_tree_entry* found = nullptr;
  int code = git_tree_entry_bypath(&found, tree.get(), path.c_str());
  const Handle<git_tree_entry, git_tree_entry_free> entry(found);
  if (code != 0 || git_tree_entry_type(found) != GIT_OBJECT_BLOB)
    return fail(ErrorKind::usage,
                fmt::format("there is no file {} at {}", path, oid.abbreviated()));
  git_blob* read = nullptr;
  code = git_blob_lookup(&read, state_->handle.get(), git_tree_entry_id(found));
  const Handle<git_blob, git_blob_free> blob(read);
  if (code != 0) return std::unexpected(library_error(code, path));
  return std::string(static_cast<const char*>(git_blob_rawcontent(read)),
                     static_cast<std::size_t>(git_blob_rawsize(read)));
}

}  // namespace bisect_run::git
