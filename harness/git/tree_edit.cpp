#include "git/tree_edit.h"

#include <fmt/format.h>
#include <git2.h>

#include <utility>

#include "git/tree_write.h"
#include "model/try.h"

namespace bisect_run::git {

Result<TreeEdit> TreeEdit::begin(git_repository* repository, const Oid& commit_or_tree) {
  BR_TRY_ASSIGN(TreeHandle base, tree_of(repository, commit_or_tree));
  return TreeEdit(repository, std::move(base));
}

/// Mode of what stands at `path`, directories included.
std::optional<std::uint32_t> TreeEdit::mode_at(const std::string& path) const {
  if (const auto change = changes_.find(path); change != changes_.end() && change->second)
    return change->second->mode;
  const auto below = changes_.lower_bound(path + "/");
  for (auto it = below; it != changes_.end() && it->first.starts_with(path + "/"); ++it)
    if (it->second) return GIT_FILEMODE_TREE;
  if (changes_.contains(path)) return std::nullopt;
  git_tree_entry* found = nullptr;
  if (git_tree_entry_bypath(&found, base_.get(), path.c_str()) != 0) return std::nullopt;
  const Handle<git_tree_entry, git_tree_entry_free> entry(found);
  return git_tree_entry_filemode(found);
}

Result<std::optional<TreeEdit::File>> TreeEdit::read(const std::string& path) const {
  const auto mode = mode_at(path);
  if (!mode) return std::nullopt;
  if (*mode == GIT_FILEMODE_TREE || *mode == GIT_FILEMODE_COMMIT)
    return fail(ErrorKind::usage, fmt::format("{} is a directory, not a file", path));
  if (const auto change = changes_.find(path); change != changes_.end()) return change->second;
  git_tree_entry* found = nullptr;
  int code = git_tree_entry_bypath(&found, base_.get(), path.c_str());
  const Handle<git_tree_entry, git_tree_entry_free> entry(found);
  git_blob* blob = nullptr;
  if (code == 0) code = git_blob_lookup(&blob, repository_, git_tree_entry_id(found));
  const Handle<git_blob, git_blob_free> owner(blob);
  if (code != 0) return std::unexpected(library_error(code, path));
  return File{{static_cast<const char*>(git_blob_rawcontent(blob)),
               static_cast<std::size_t>(git_blob_rawsize(blob))},
              *mode};
}

Status TreeEdit::write(const std::string& path, File file) {
  if (mode_at(path) == GIT_FILEMODE_TREE)
    return fail(ErrorKind::usage, fmt::format("{} is a directory", path));
  for (auto slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1)) {
    const auto mode = mode_at(path.substr(0, slash));
    if (mode && *mode != GIT_FILEMODE_TREE)
      return fail(ErrorKind::usage,
                  fmt::format("{}: {} is a file, not a directory", path, path.substr(0, slash)));
  }
  changes_[path] = std::move(file);
  return {};
}

void TreeEdit::remove(const std::string& path) {
  changes_[path] = std::nullopt;
}

Result<Oid> TreeEdit::commit_tree() {
  std::map<std::string, std::optional<TreeEntry>> entries;
  for (const auto& [path, file] : changes_) {
    if (!file) {
      entries[path] = std::nullopt;
      continue;
    }
    BR_TRY_ASSIGN(const RawId blob, write_object(repository_, GIT_OBJECT_BLOB, file->content));
    entries[path] = TreeEntry{file->mode, blob};
  }
  return write_tree(repository_, base_.get(), entries);
}

Result<bool> has_submodules(git_repository* repository, const Oid& commit_or_tree) {
  BR_TRY_ASSIGN(const TreeHandle tree, tree_of(repository, commit_or_tree));
  constexpr int found = -1000;  // any negative number ends the walk and is handed back
  const int code = git_tree_walk(
      tree.get(), GIT_TREEWALK_PRE,
      [](const char*, const git_tree_entry* entry, void*) {
        return git_tree_entry_filemode(entry) == GIT_FILEMODE_COMMIT ? found : 0;
      },
      nullptr);
  if (code != 0 && code != found)
    return std::unexpected(library_error(code, "the tree of " + commit_or_tree.abbreviated()));
  return code == found;
}

}  // namespace bisect_run::git
