#include "cli/repository_choice.h"

#include <filesystem>

#include "git/kernel_tree.h"
#include "model/try.h"

namespace bisect_run::cli {
namespace {

/// The repository around the current directory, if what is checked out there is a kernel.
std::optional<git::Repository> around_here() {
  auto repository = git::Repository::open(std::filesystem::current_path());
  if (!repository) return std::nullopt;
  const auto head = repository->resolve("HEAD");
  if (!head || !git::is_kernel_tree(*repository, *head)) return std::nullopt;
  return std::move(*repository);
}

Result<RepositoryChoice> open_named(const std::string& path, std::string reason) {
  BR_TRY_ASSIGN(auto repository, git::Repository::open(path));
  return RepositoryChoice{std::move(repository), std::move(reason)};
}

}  // namespace

Result<RepositoryChoice> choose_repository(const std::optional<std::string>& asked,
                                           const std::optional<std::string>& of_recipe,
                                           const std::optional<std::string>& of_last_run) {
  if (asked) return open_named(*asked, {});
  if (auto here = around_here())
    return RepositoryChoice{std::move(*here), "the kernel tree around this directory"};
  if (of_recipe) return open_named(*of_recipe, "named in kernels.yaml");
  if (of_last_run) return open_named(*of_last_run, "that of the last run");
  return fail(ErrorKind::usage,
              "there is no kernel repository around this directory; name one with --repo DIR");
}

}  // namespace bisect_run::cli
