#pragma once

#include <vector>

#include "config/cursor.h"
#include "model/recipe.h"

namespace bisect_run::config {

/// Reads the `variants` map of a recipe.
Result<std::vector<VariantRule>> variant_rules(const Cursor& map);

}  // namespace bisect_run::config
