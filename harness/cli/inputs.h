#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cli/arguments.h"
#include "cli/places.h"
#include "git/repository.h"
#include "model/recipe.h"
#include "model/run.h"
#include "model/scenario.h"

namespace bisect_run::cli {

/// All that a measuring command needs from the person, read and checked. Nothing has been built,
/// booted or written yet.
struct Inputs {
  Recipe recipe;
  Scenario scenario;
  std::filesystem::path scenario_file;
  std::vector<Scenario> more_scenarios;  ///< of a comparison, beside that one
  std::vector<std::filesystem::path> more_files;
  git::Repository repository;
  std::string repository_reason;
  RunRequest request;
};

/// Errors: usage.
Result<Inputs> read_inputs(const Arguments& arguments, const Places& places,
                           const std::optional<std::string>& last_repository);

/// The inputs of a run that was stored, from its own copies below `run_directory`.
Result<Inputs> restore_inputs(const RunRequest& request,
                              const std::filesystem::path& run_directory);

/// The run's own copy of a person's .config, in its directory.
inline constexpr const char* kOwnConfig = "own.config";

}  // namespace bisect_run::cli
