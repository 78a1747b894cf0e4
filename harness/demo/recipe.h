#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "model/error.h"
#include "model/kernel.h"

namespace bisect_run::demo {

/// One line of recipe.txt, where the words are explained.
struct Step {
  enum class Kind { root, pick, branch, switch_to, merge, mark };
  Kind kind = Kind::pick;
  std::string name;     ///< of the patch, branch or mark
  std::string subject;  ///< of a root or merge
};

struct Recipe {
  std::vector<Step> steps;
  std::vector<Patch> patches;  ///< one a pick, in the order of the picks; `text` with its message

  /// Digest of everything that decides the commits, save the sources.
  std::string digest() const;
};

/// How much the planted change costs: a grace period each time, or about a tenth.
enum class Effect { large, small };

/// Reads `directory`/recipe.txt and the patches it picks from `directory`/patches.
/// Errors: usage (file:line and what is wrong with it).
Result<Recipe> load_recipe(const std::filesystem::path& directory, Effect effect = Effect::large);

/// The part of a patch file before its diff, without blank lines at the end.
std::string message_of(const Patch& patch);

}  // namespace bisect_run::demo
