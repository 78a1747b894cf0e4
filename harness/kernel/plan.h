#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/compiler.h"
#include "kernel/remedy.h"
#include "model/error.h"
#include "model/recipe.h"

namespace bisect_run::kernel {

/// What was seen in a checked-out tree, as far as the recipe's choices depend on it. Small, so
/// that it can be kept for every tree: with it, a cached image is found without a checkout.
struct TreeFacts {
  std::string tree_oid;          ///< of the tree with its patches
  std::string configure_digest;  ///< of everything in it that `make allnoconfig` depends on
  std::set<std::string, std::less<>> declared;    ///< of the symbols of interest
  std::set<std::string, std::less<>> remedies;    ///< names of those whose conditions hold
  std::set<std::string, std::less<>> toolchains;  ///< the same, without the one for every tree
  Words derived;                                  ///< what remedies take from the tree

  bool declares(std::string_view symbol) const { return declared.contains(symbol); }
};

/// Every decision about one build, before it is done.
struct Plan {
  std::vector<ConfigLine> config;
  /// What is on beside `config`: nothing, or what Kconfig gives by default.
  std::string configure_target = "allnoconfig";
  std::vector<std::string> make_variables;  ///< `{remedies}` still stands in them, and in flags
  std::map<std::string, std::vector<std::string>> flags;  ///< added to make variables
  std::vector<std::string> patches;                       ///< below the directory of remedies
  std::vector<AppliedRemedy> remedies;
  std::vector<std::string> boot_args;
  std::string offload;
  std::string build_key;  ///< digest of all that decides the image
};

/// The symbols that a recipe mentions anywhere.
std::set<std::string, std::less<>> symbols_of_interest(const Recipe& recipe);

/// The commits whose ancestry a recipe asks about.
std::set<std::string> ancestry_of_interest(const Recipe& recipe);

/// Looks at a tree; `ancestors` are those of the commits of interest which it contains. Error:
/// skip_build if it is no kernel tree.
Result<TreeFacts> look_at_tree(const std::filesystem::path& tree, const std::string& tree_oid,
                               const Recipe& recipe, const std::set<std::string>& ancestors);

/// `remedies_digest` is that of the remedies' files. Error: skip_build where the variant cannot be
/// had in this tree.
Result<Plan> make_plan(const Recipe& recipe, std::string_view variant, const TreeFacts& facts,
                       const Compiler& compiler, const std::string& remedies_digest);

}  // namespace bisect_run::kernel
