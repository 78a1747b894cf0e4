#pragma once

#include <filesystem>
#include <string_view>

#include "model/error.h"
#include "model/recipe.h"

namespace bisect_run::config {

/// Reads and checks a kernels.yaml; the form is explained in the file itself. Errors: usage, each
/// as `file:line:column: what is wrong; what would be right`.
Result<Recipe> load_recipe(const std::filesystem::path& file);

/// The same from text; `name` stands for the file in messages.
Result<Recipe> parse_recipe(std::string_view text, const std::filesystem::path& name);

}  // namespace bisect_run::config
