#pragma once

#include <functional>
#include <string_view>

#include "model/error.h"
#include "model/recipe.h"

namespace bisect_run::kernel {

using Declares = std::function<bool(std::string_view symbol)>;

/// The first case of the rule that fits a tree which declares what `declares` says. Error:
/// skip_build if none fits, or if the one that fits says the variant cannot exist there.
Result<VariantCase> choose_case(const VariantRule& rule, const Declares& declares);

}  // namespace bisect_run::kernel
