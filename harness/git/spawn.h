#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "git/program.h"

namespace bisect_run::git {

/// Descriptors that become the program's own; without `in` it reads nothing.
struct Streams {
  int in = -1;
  int out = -1;
  int err = -1;
};

/// Starts `git ARGUMENTS…` as run_git does, in a process group of its own. The caller waits for it.
/// Errors: infra.
Result<pid_t> start_git(const std::filesystem::path& directory,
                        const std::vector<std::string>& arguments, const Streams& streams,
                        const ProgramOptions& options = {});

/// Its exit status, or 128 + signal.
int wait_for_git(pid_t pid);

}  // namespace bisect_run::git
