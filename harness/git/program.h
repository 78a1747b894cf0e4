#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "model/error.h"

namespace bisect_run::git {

struct ProgramOutput {
  int exit_code = 0;  ///< 128 + signal where one ended it
  std::string out;    ///< standard output
  std::string err;    ///< standard error
};

struct ProgramOptions {
  int kept_open = -1;  ///< a descriptor the program inherits, or -1
  std::chrono::seconds deadline = std::chrono::minutes(30);
  bool persons_settings = false;  ///< read system, user and GIT_CONFIG* settings after all
};

/// Runs `git ARGUMENTS…` in `directory` and waits for it.
///
/// What the person has set up does not reach it: no GIT_* variables, no system or user
/// configuration, no attributes or hooks of theirs, no replace refs, no prompts, English messages.
/// It runs in its own process group, so that ^C does not tear a checkout; at the deadline the
/// group is killed. A lock held through `kept_open` outlives us as long as git works.
/// Errors: infra.
Result<ProgramOutput> run_git(const std::filesystem::path& directory,
                              const std::vector<std::string>& arguments,
                              const ProgramOptions& options = {});

}  // namespace bisect_run::git
