#include "git/apply.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "git/fit.h"
#include "git/patch_apply.h"
#include "git/patch_text.h"
#include "git/repository_access.h"
#include "git/tree_edit.h"
#include "model/try.h"

namespace bisect_run::git {
namespace {

using Kind = FileChange::Kind;

using Files = std::map<std::string, TreeEdit::File>;

/// What the copies of one patch are made from: git diffs may change that file first, and mean it
/// as it was before.
Result<Files> sources_of_copies(const TreeEdit& edit, std::span<const FileChange> changes) {
  Files files;
  for (const FileChange& change : changes) {
    if (change.kind != Kind::copy) continue;
    BR_TRY_ASSIGN(std::optional<TreeEdit::File> file, edit.read(change.old_path));
    if (file) files.emplace(change.old_path, std::move(*file));
  }
  return files;
}

Result<TreeEdit::File> source_of(const TreeEdit& edit, const FileChange& change,
                                 const Files& copied) {
  if (change.kind == Kind::add) return TreeEdit::File{};
  if (const auto known = copied.find(change.old_path);
      change.kind == Kind::copy && known != copied.end())
    return known->second;
  BR_TRY_ASSIGN(std::optional<TreeEdit::File> file, edit.read(change.old_path));
  if (!file)
    return fail(ErrorKind::usage, fmt::format("{} is not there at this commit", change.old_path));
  return std::move(*file);
}

/// The place a new name goes to must be free.
Status check_free(const TreeEdit& edit, const FileChange& change) {
  if (change.kind == Kind::modify || change.kind == Kind::remove) return {};
  if (change.new_path == change.old_path) return {};
  BR_TRY_ASSIGN(const std::optional<TreeEdit::File> there, edit.read(change.new_path));
  if (!there) return {};
  return fail(ErrorKind::usage,
              fmt::format("{} is there already at this commit: applied before?", change.new_path));
}

Status carry_out(TreeEdit& edit, const FileChange& change, const Files& copied) {
  BR_TRY(check_free(edit, change));
  BR_TRY_ASSIGN(TreeEdit::File file, source_of(edit, change, copied));
  BR_TRY_ASSIGN(file.content, apply_hunks(file.content, change));
  if (change.mode) file.mode = *change.mode;
  if (change.kind == Kind::remove) {
    if (!file.content.empty())
      return fail(ErrorKind::usage,
                  fmt::format("{} would be removed, but has more in it than the patch knows",
                              change.old_path));
    edit.remove(change.old_path);
    return {};
  }
  if (change.kind == Kind::rename) edit.remove(change.old_path);
  return edit.write(change.new_path, std::move(file));
}

Status apply_patch(TreeEdit& edit, const Patch& patch) {
  BR_TRY_ASSIGN(const std::vector<FileChange> changes, parse_patch(patch.text));
  for (std::span<const FileChange> rest = changes; !rest.empty();) {
    const auto end = std::ranges::find_if(
        rest, [&](const FileChange& change) { return change.part != rest.front().part; });
    const auto part = rest.first(static_cast<std::size_t>(end - rest.begin()));
    BR_TRY_ASSIGN(const Files copied, sources_of_copies(edit, part));
    for (const FileChange& change : part) BR_TRY(carry_out(edit, change, copied));
    rest = rest.subspan(part.size());
  }
  return {};
}

/// The files with the patches applied, in memory.
Result<TreeEdit> edited(git_repository* repository, const Oid& commit_or_tree,
                        const std::vector<Patch>& patches) {
  BR_TRY_ASSIGN(TreeEdit edit, TreeEdit::begin(repository, commit_or_tree));
  for (const Patch& patch : patches) {
    if (auto applied = apply_patch(edit, patch); !applied)
      return std::unexpected(in_context(std::move(applied).error(), "patch " + patch.name));
  }
  return edit;
}

}  // namespace

Result<Oid> apply_to_tree(git_repository* repository, const Oid& commit_or_tree,
                          const std::vector<Patch>& patches) {
  BR_TRY_ASSIGN(TreeEdit edit, edited(repository, commit_or_tree, patches));
  return edit.commit_tree();
}

Status require_fit(const Repository& repository, const Oid& commit,
                   const std::vector<Patch>& patches) {
  if (patches.empty()) return {};
  BR_TRY(edited(RepositoryAccess::handle(repository), commit, patches));
  return {};
}

}  // namespace bisect_run::git
