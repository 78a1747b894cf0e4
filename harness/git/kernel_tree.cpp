#include "git/kernel_tree.h"

#include <fmt/format.h>
#include <git2.h>

#include <string_view>

#include "git/repository_access.h"

namespace bisect_run::git {
namespace {

bool has(git_tree* tree, const char* path, git_object_t type) {
  git_tree_entry* found = nullptr;
  if (git_tree_entry_bypath(&found, tree, path) != 0) return false;
  const Handle<git_tree_entry, git_tree_entry_free> entry(found);
  return git_tree_entry_type(found) == type;
}

}  // namespace

bool is_kernel_tree(const Repository& repository, const Oid& commit) {
  const auto tree = tree_of(RepositoryAccess::handle(repository), commit);
  if (!tree || !has(tree->get(), "Kconfig", GIT_OBJECT_BLOB) ||
      !has(tree->get(), "kernel", GIT_OBJECT_TREE) ||
      !has(tree->get(), "arch/x86", GIT_OBJECT_TREE))
    return false;
  const auto makefile = repository.file(commit, "Makefile");
  return makefile && ("\n" + *makefile).find("\nVERSION = ") != std::string::npos;
}

Status require_kernel_tree(const Repository& repository, const Oid& commit) {
  if (is_kernel_tree(repository, commit)) return {};
  return fail(
      ErrorKind::usage,
      fmt::format("{} at {} holds no Linux kernel for x86 (no Kconfig, Makefile with VERSION, "
                  "kernel/ and arch/x86/); name the kernel's repository with --repo",
                  repository.path().string(), commit.abbreviated()));
}

}  // namespace bisect_run::git
