#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "config/recipe.h"

// Texts of kernels.yaml with one place changed, and what is said of them.

namespace bisect_run::test {

/// `text` with the first `from` replaced; a test fails where there is none.
inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// What is wrong with a k.yaml of this text, or "accepted".
inline std::string recipe_message(const std::string& text) {
  const auto recipe = config::parse_recipe(text, "k.yaml");
  if (recipe) return "accepted";
  EXPECT_EQ(recipe.error().kind, ErrorKind::usage);
  return recipe.error().message;
}

}  // namespace bisect_run::test
