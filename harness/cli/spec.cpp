#include "cli/spec.h"

#include <fmt/format.h>

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

/// What stands before patches and variant: a named kernel, else a revision.
Result<KernelSpec> base_kernel(const std::string& text, const SpecContext& context) {
  BR_TRY_ASSIGN(auto named, context.named(text));
  if (named) return std::move(*named);
  BR_TRY_ASSIGN(auto commit, context.resolve(text));
  return KernelSpec{.text = text, .commit = std::move(commit), .patches = {}, .variant = {}};
}

/// A name whose revision is gone is a base, too: its error is the one to show.
bool is_base(const std::string& text, const SpecContext& context) {
  const auto named = context.named(text);
  return !named || *named || context.resolve(text);
}

/// Takes `+PATCH` off the end, from right to left, as long as what is left is no kernel.
std::vector<std::string> split_patches(std::string& rest, const SpecContext& context) {
  std::vector<std::string> patches;
  while (!is_base(rest, context)) {
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

/// That a patch is missing says more than that `REV+PATCH` is no revision.
Status check_patch(const std::string& rest, const SpecContext& context) {
  for (auto plus = rest.find('+', 1); plus != std::string::npos; plus = rest.find('+', plus + 1))
    if (is_base(rest.substr(0, plus), context))
      return fail(ErrorKind::usage,
                  fmt::format("{}: there is no file and no commit {} to take as a patch", rest,
                              rest.substr(plus + 1)));
  return {};
}

}  // namespace

Result<KernelSpec> read_spec(const std::string& text, const SpecContext& context) {
  std::string rest = text, variant;
  if (!is_base(rest, context)) variant = split_variant(rest, context);
  const auto name = rest;
  const auto patches = split_patches(rest, context);
  if (!is_base(rest, context)) BR_TRY(check_patch(rest, context));
  BR_TRY_ASSIGN(auto spec, base_kernel(rest, context));
  spec.text = name;
  for (const auto& file : patches) {
    BR_TRY_ASSIGN(auto patch, context.patch(file));
    spec.patches.push_back(std::move(patch));
  }
  BR_TRY_ASSIGN(const auto own, context.over(spec.variant, variant));
  BR_TRY_ASSIGN(spec.variant, context.over(context.default_variant, own));
  return spec;
}

}  // namespace bisect_run::cli
