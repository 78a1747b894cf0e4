#pragma once

#include "cli/arguments.h"
#include "model/recipe.h"
#include "model/run.h"

namespace bisect_run::cli {

/// What the command line says of the host, on top of `choice`: nothing yet, or what a run that is
/// resumed was asked for.
HostChoice host_choice(const Arguments& arguments, HostChoice choice = {});

/// Puts the choice into the recipe. Errors: usage.
Status apply(const HostChoice& choice, Recipe& recipe);

}  // namespace bisect_run::cli
