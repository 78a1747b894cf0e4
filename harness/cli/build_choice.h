#pragma once

#include <filesystem>

#include "cli/arguments.h"
#include "model/recipe.h"
#include "model/run.h"

namespace bisect_run::cli {

/// What the command line says of how kernels are built. Errors: usage.
Result<BuildChoice> build_choice(const Arguments& arguments);

/// Puts the choice into the recipe; `config` is where the person's .config lies now. Errors: usage.
Status apply(const BuildChoice& choice, const std::filesystem::path& config, Recipe& recipe);

/// What the command line says of the machine, on top of `machine`. The virtual clock needs TCG.
/// Errors: usage.
Result<Machine> machine_choice(const Arguments& arguments, Machine machine);

/// Numbers of different clocks mean different things: they never stand side by side. Errors: usage.
Status check_clocks(const RunRequest& request);

/// More vCPUs than kernels are built for would be boots that prove nothing. Errors: usage.
Status check_cpus(const RunRequest& request, const Recipe& recipe);

}  // namespace bisect_run::cli
