#include "git/tree_write.h"

#include <fmt/format.h>
#include <git2.h>

#include <algorithm>
#include <iterator>

#include "model/try.h"

namespace bisect_run::git {
namespace {

using Changes = std::map<std::string, std::optional<TreeEntry>>;

RawId to_raw(const git_oid& id) {
  RawId raw;
  std::copy(std::begin(id.id), std::end(id.id), raw.begin());
  return raw;
}

/// One directory. git orders entries as if directories ended in a slash, which is also the key.
class Directory {
 public:
  explicit Directory(const git_tree* base) {
    for (std::size_t i = 0; base && i < git_tree_entrycount(base); ++i) {
      const git_tree_entry* entry = git_tree_entry_byindex(base, i);
      set(git_tree_entry_name(entry),
          {static_cast<std::uint32_t>(git_tree_entry_filemode_raw(entry)),
           to_raw(*git_tree_entry_id(entry))});
    }
  }

  void set(const std::string& name, const TreeEntry& entry) {
    erase(name);
    entries_[entry.mode == GIT_FILEMODE_TREE ? name + '/' : name] = entry;
  }
  void erase(const std::string& name) {
    entries_.erase(name);
    entries_.erase(name + '/');
  }
  const TreeEntry* directory(const std::string& name) const {
    const auto found = entries_.find(name + '/');
    return found == entries_.end() ? nullptr : &found->second;
  }
  bool empty() const { return entries_.empty(); }

  std::string bytes() const {
    std::string bytes;
    for (const auto& [key, entry] : entries_) {
      bytes += fmt::format("{:o} ", entry.mode);
      bytes.append(key, 0, key.ends_with('/') ? key.size() - 1 : key.size());
      bytes += '\0';
      bytes.append(reinterpret_cast<const char*>(entry.id.data()), entry.id.size());
    }
    return bytes;
  }

 private:
  std::map<std::string, TreeEntry> entries_;
};

class Writer {
 public:
  explicit Writer(git_repository* repository) : repository_(repository) {}

  /// No value: the directory is empty.
  Result<std::optional<RawId>> write(const git_tree* base, const Changes& changes) {
    Directory directory(base);
    for (auto it = changes.begin(); it != changes.end();) {
      const auto slash = it->first.find('/');
      if (slash == std::string::npos) {
        if (it->second)
          directory.set(it->first, *it->second);
        else
          directory.erase(it->first);
        ++it;
        continue;
      }
      const std::string name = it->first.substr(0, slash);
      Changes below;
      for (; it != changes.end() && it->first.starts_with(name + '/'); ++it)
        below[it->first.substr(slash + 1)] = it->second;
      BR_TRY(descend(directory, name, below));
    }
    if (directory.empty()) return std::nullopt;
    BR_TRY_ASSIGN(const RawId id, write_object(repository_, GIT_OBJECT_TREE, directory.bytes()));
    return id;
  }

 private:
  Status descend(Directory& parent, const std::string& name, const Changes& changes) {
    TreeHandle base;
    if (const TreeEntry* entry = parent.directory(name)) {
      const git_oid id = to_git(entry->id);
      git_tree* found = nullptr;
      const int code = git_tree_lookup(&found, repository_, &id);
      base.reset(found);
      if (code != 0) return std::unexpected(library_error(code, name));
    }
    BR_TRY_ASSIGN(const std::optional<RawId> id, write(base.get(), changes));
    if (id)
      parent.set(name, {GIT_FILEMODE_TREE, *id});
    else if (base)
      parent.erase(name);
    return {};
  }

  git_repository* repository_;
};

}  // namespace

Result<RawId> write_object(git_repository* repository, int type, std::string_view bytes) {
  const auto kind = static_cast<git_object_t>(type);
  git_odb* found = nullptr;
  if (const int code = git_repository_odb(&found, repository); code != 0)
    return std::unexpected(library_error(code, "the object store"));
  const OdbHandle odb(found);
  git_oid id;
  int code = git_odb_hash(&id, bytes.data(), bytes.size(), kind);
  if (code == 0 && !git_odb_exists(found, &id))
    code = git_odb_write(&id, found, bytes.data(), bytes.size(), kind);
  if (code != 0) return std::unexpected(library_error(code, "an object cannot be stored"));
  return to_raw(id);
}

Result<Oid> write_tree(git_repository* repository, const git_tree* base, const Changes& changes) {
  BR_TRY_ASSIGN(std::optional<RawId> id, Writer(repository).write(base, changes));
  if (!id) {
    BR_TRY_ASSIGN(id, write_object(repository, GIT_OBJECT_TREE, {}));
  }
  return Oid{to_hex(*id)};
}

}  // namespace bisect_run::git
