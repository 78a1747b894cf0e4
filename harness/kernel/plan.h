#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/compiler.h"
#include "model/error.h"
#include "model/recipe.h"

namespace bisect_run::kernel {

/// What was seen in a checked-out tree, as far as the recipe's choices depend on it. Small, so
/// that it can be kept for every tree: with it, a cached image is found without a checkout.
struct TreeFacts {
  std::string tree_oid;          ///< of the tree with its patches
  std::string configure_digest;  ///< of everything in it that `make allnoconfig` depends on
  std::set<std::string, std::less<>> declared;  ///< of the symbols of interest

  bool declares(std::string_view symbol) const { return declared.contains(symbol); }
};

/// Every decision about one build, before it is done.
struct Plan {
  std::vector<ConfigLine> config;
  std::vector<std::string> make_variables;
  std::vector<std::string> boot_args;
  std::string offload;
  std::string build_key;  ///< digest of all that decides the image
};

/// The symbols that a recipe mentions anywhere.
std::set<std::string, std::less<>> symbols_of_interest(const Recipe& recipe);

/// Looks at a tree. Error: skip_build if it is no kernel tree.
Result<TreeFacts> look_at_tree(const std::filesystem::path& tree, const std::string& tree_oid,
                               const Recipe& recipe);

/// Error: skip_build where the variant cannot be had in this tree.
Result<Plan> make_plan(const Recipe& recipe, const VariantRule& variant, const TreeFacts& facts,
                       const Compiler& compiler);

}  // namespace bisect_run::kernel
