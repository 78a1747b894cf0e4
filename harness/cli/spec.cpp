#include "cli/spec.h"

#include <algorithm>

#include "model/try.h"

namespace bisect_run::cli {
namespace {

/// Takes `@VARIANT` off the end, if there is one.
std::string split_variant(std::string& rest, const SpecContext& context) {
  const auto at = rest.rfind('@');
  if (at == std::string::npos || at == 0) return {};
  const auto name = rest.substr(at + 1);
  if (!context.is_variant(name)) return {};
  rest.resize(at);
  return name;
}

/// Takes `+PATCH` off the end, from right to left, as long as what is left is no revision.
std::vector<std::string> split_patches(std::string& rest, const SpecContext& context) {
  std::vector<std::string> patches;
  while (!context.resolve(rest)) {
    // A file's name may hold a + itself: the longest tail that is a patch is taken.
    std::size_t cut = std::string::npos;
    for (auto plus = rest.find('+', 1); plus != std::string::npos; plus = rest.find('+', plus + 1))
      if (context.is_patch(rest.substr(plus + 1))) {
        cut = plus;
        break;
      }
    if (cut == std::string::npos) break;
    patches.push_back(rest.substr(cut + 1));
    rest.resize(cut);
  }
  std::ranges::reverse(patches);
  return patches;
}

}  // namespace

Result<KernelSpec> read_spec(const std::string& text, const SpecContext& context) {
  KernelSpec spec{.text = text, .commit = {}, .patches = {}, .variant = context.default_variant};
  if (auto whole = context.resolve(text)) {
    spec.commit = std::move(*whole);
    return spec;
  }
  std::string rest = text;
  if (const auto variant = split_variant(rest, context); !variant.empty()) spec.variant = variant;
  const auto patches = split_patches(rest, context);
  BR_TRY_ASSIGN(spec.commit, context.resolve(rest));
  for (const auto& name : patches) {
    BR_TRY_ASSIGN(auto patch, context.patch(name));
    spec.patches.push_back(std::move(patch));
  }
  return spec;
}

}  // namespace bisect_run::cli
