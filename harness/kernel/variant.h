#pragma once

#include <functional>
#include <string_view>

#include "model/error.h"
#include "model/recipe.h"

namespace bisect_run::kernel {

using Declares = std::function<bool(std::string_view symbol)>;

/// The cases of several axes as one: their config lines, flags and boot arguments one after
/// another, the offloaded CPUs as the axis of offloading says. Errors: those of `choose_case`,
/// usage for a value that the recipe does not have.
Result<VariantCase> choose_cases(const Recipe& recipe, std::string_view variant,
                                 const Declares& declares);

/// The first case of the rule that fits a tree which declares what `declares` says. Error:
/// skip_build if none fits, or if the one that fits says the variant cannot exist there.
Result<VariantCase> choose_case(const VariantRule& rule, const Declares& declares);

}  // namespace bisect_run::kernel
