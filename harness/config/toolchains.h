#pragma once

#include <vector>

#include "config/cursor.h"
#include "model/recipe.h"

namespace bisect_run::config {

/// Reads the `toolchain` map of a recipe: the one that every tree can fall back to.
Result<Toolchain> default_toolchain(const Cursor& map);

/// Reads the `toolchains` list: others, which need not be installed, each for some trees.
Result<std::vector<Toolchain>> other_toolchains(const Cursor& list);

}  // namespace bisect_run::config
