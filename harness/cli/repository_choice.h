#pragma once

#include <optional>
#include <string>

#include "git/repository.h"
#include "model/error.h"

namespace bisect_run::cli {

/// The repository a command works on, and why it was taken, to be said aloud.
struct RepositoryChoice {
  git::Repository repository;
  std::string reason;  ///< empty when it was named on the command line
};

/// `--repo`, else the kernel tree around the current directory, else that of kernels.yaml, else
/// that of the last run. Errors: usage; those of the one that was asked for by name.
Result<RepositoryChoice> choose_repository(const std::optional<std::string>& asked,
                                           const std::optional<std::string>& of_recipe,
                                           const std::optional<std::string>& of_last_run);

}  // namespace bisect_run::cli
