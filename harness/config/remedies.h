#pragma once

#include <vector>

#include "config/cursor.h"
#include "model/remedy.h"

namespace bisect_run::config {

/// Reads the `remedies` map of a recipe.
Result<std::vector<Remedy>> remedies(const Cursor& map);

}  // namespace bisect_run::config
