#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/error.h"
#include "model/recipe.h"

// Variants of several axes: `all,hz1000` is one value of each axis that it names.

namespace bisect_run {

/// The rules of a variant's values, in the order of the recipe's axes. Errors: usage, for a value
/// that the recipe does not have and for two values of one axis.
Result<std::vector<const VariantRule*>> rules_of(const Recipe& recipe, std::string_view variant);

/// The variant with its values in the order of the axes, so that equal variants read equal.
/// Errors: those of `rules_of`.
Result<std::string> canonical_variant(const Recipe& recipe, std::string_view variant);

/// What a list of values asks for: those of one axis are alternatives, those of different axes
/// combine. none, all, hz1000 are `none,hz1000` and `all,hz1000`. An empty list is one empty
/// variant. Errors: usage, for a value that the recipe does not have.
Result<std::vector<std::string>> combined_variants(const Recipe& recipe,
                                                   const std::vector<std::string>& values);

/// `over`, and what `base` says of the axes that `over` does not name. Either may be empty.
/// Errors: those of `rules_of`.
Result<std::string> variant_over(const Recipe& recipe, std::string_view base,
                                 std::string_view over);

/// The variant with each value replaced by its equivalent by boot arguments; empty where none of
/// its values has one.
std::string equivalent_variant(const Recipe& recipe, std::string_view variant);

/// Whether a text is made of values that the recipe has, even if they exclude each other.
bool looks_like_variant(const Recipe& recipe, std::string_view text);

/// The variant with each value of an axis in turn; empty where it names one of them, or the recipe
/// has none.
std::vector<std::string> variants_along(const Recipe& recipe, std::string_view variant,
                                        std::string_view axis);

/// Whether a variant says anything about an axis.
bool names_axis(const Recipe& recipe, std::string_view variant, std::string_view axis);

}  // namespace bisect_run
