#include "git/ownership.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "git/program.h"
#include "model/try.h"

namespace bisect_run::git {
namespace {

bool is_ours(const std::filesystem::path& path) {
  struct stat found{};
  return lstat(path.c_str(), &found) == 0 && found.st_uid == geteuid();
}

}  // namespace

Status check_owner(const Repository& repository) {
  const std::filesystem::path top = repository.path();
  if (is_ours(top) && is_ours(repository.git_dir())) return {};
  BR_TRY_ASSIGN(const ProgramOutput answer,
                run_git(top, {"rev-parse", "--git-dir"},
                        {.deadline = std::chrono::seconds(60), .persons_settings = true}));
  if (answer.exit_code == 0) return {};
  return fail(ErrorKind::usage,
              fmt::format("the repository at {} belongs to another user; if you trust it: "
                          "git config --global --add safe.directory {}",
                          top.string(), top.string()),
              answer.err);
}

}  // namespace bisect_run::git
