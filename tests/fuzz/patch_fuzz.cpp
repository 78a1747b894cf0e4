// rooms: git
// options: -max_len=2048 -rss_limit_mb=256 -malloc_limit_mb=16
// A patch, as mail or plain diff, of a stranger: whatever it says, what comes of it is a tree in
// which every name stays below its top, no name is git's own, and every mode is one that git has.
// The input is a file, a line `===`, and a patch, which is also carried out on that file alone.

#include <git2.h>
#include <strings.h>

#include <optional>
#include <set>

#include "fuzz/fuzz.h"
#include "git/apply.h"
#include "git/history_writer.h"
#include "git/patch_apply.h"
#include "git/patch_text.h"
#include "git/repository.h"
#include "git/repository_access.h"
#include "support/temp_dir.h"

namespace {

using namespace bisect_run;
using test::require;

constexpr const char* kEmptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
constexpr const char* kBase =
    "--- /dev/null\n+++ b/f\n@@ -0,0 +1,5 @@\n+a\n+b\n+c\n+d\n+e\n"
    "--- /dev/null\n+++ b/d/g\n@@ -0,0 +1,3 @@\n+a\n+b\n+c\n"
    "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+f\n"
    "\\ No newline at end of file\n";

/// A repository that takes what patches make; anew now and then, so that it stays small.
class Place {
 public:
  Place() {
    require(git::HistoryWriter::create(directory_ / "r").has_value());
    auto opened = git::Repository::open(directory_ / "r");
    require(opened.has_value());
    repository_.emplace(std::move(*opened));
    const auto base = git::apply_to_tree(handle(), {kEmptyTree}, {{"base", kBase}});
    require(base.has_value());
    base_ = *base;
  }
  git_repository* handle() const { return git::RepositoryAccess::handle(*repository_); }
  const Oid& base() const { return base_; }

 private:
  test::TempDir directory_;
  std::optional<git::Repository> repository_;
  Oid base_;
};

void require_clean(std::string_view path) {
  require(!path.empty() && path.find('\0') == path.npos);
  for (std::size_t at = 0; at <= path.size();) {
    const std::string part(path.substr(at, path.find('/', at) - at));
    require(!part.empty() && part != "." && part != ".." && strcasecmp(part.c_str(), ".git") != 0);
    at += part.size() + 1;
  }
}

void check_entry(const git_tree_entry* entry) {
  require_clean(git_tree_entry_name(entry));
  const auto mode = git_tree_entry_filemode_raw(entry);
  const auto* id = git_tree_entry_id(entry);
  require(!git_oid_is_zero(id));
  require(mode == 0100644 || mode == 0100755 || mode == 0120000 || mode == 0040000);
}

void check_tree(git_repository* repository, const Oid& oid) {
  const auto tree = git::tree_of(repository, oid);
  require(tree.has_value());
  const int code = git_tree_walk(
      tree->get(), GIT_TREEWALK_PRE,
      [](const char*, const git_tree_entry* entry, void*) {
        check_entry(entry);
        return 0;
      },
      nullptr);
  require(code == 0);
}

void check_changes(const std::vector<git::FileChange>& changes, std::string_view before) {
  for (const auto& change : changes) {
    require_clean(change.path());
    if (!change.old_path.empty()) require_clean(change.old_path);
    if (const auto after = git::apply_hunks(before, change)) {
      std::size_t most = before.size();
      for (const auto& hunk : change.hunks)
        for (const auto& line : hunk.lines) most += line.text.size();
      require(after->size() <= most);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static std::optional<Place> place;
  static int inputs = 0;
  if (inputs++ % 2000 == 0) place.emplace();
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  constexpr std::string_view kBetween = "===\n";
  const auto between = input.find(kBetween);
  const auto before = between == input.npos ? std::string_view{} : input.substr(0, between);
  const auto text = between == input.npos ? input : input.substr(between + kBetween.size());
  const auto changes = git::parse_patch(text);
  if (!changes) {
    require(changes.error().kind == ErrorKind::usage);
    return 0;
  }
  check_changes(*changes, before);
  const auto tree = git::apply_to_tree(place->handle(), place->base(), {{"p", std::string(text)}});
  if (tree)
    check_tree(place->handle(), *tree);
  else
    require(tree.error().kind == ErrorKind::usage);
  return 0;
}
