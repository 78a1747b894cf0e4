#pragma once

#include <optional>
#include <vector>

#include "config/cursor.h"
#include "model/recipe.h"

namespace bisect_run::config {

/// Reads the `variants` map of a recipe, the values of the axis of offloading, and its `axes`, if
/// it has such, which add further ones.
Result<std::vector<VariantRule>> variant_rules(const Cursor& variants,
                                               const std::optional<Cursor>& axes);

}  // namespace bisect_run::config
