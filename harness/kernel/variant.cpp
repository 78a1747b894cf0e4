#include "kernel/variant.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/try.h"
#include "model/variant.h"

namespace bisect_run::kernel {

Result<VariantCase> choose_case(const VariantRule& rule, const Declares& declares) {
  for (const auto& choice : rule.cases) {
    if (!std::ranges::all_of(choice.with_symbols, declares) ||
        std::ranges::any_of(choice.without_symbols, declares))
      continue;
    if (!choice.impossible.empty())
      return fail(ErrorKind::skip_build, fmt::format("variant `{}` cannot exist in this tree: {}",
                                                     rule.name, choice.impossible));
    return choice;
  }
  return fail(ErrorKind::skip_build,
              fmt::format("variant `{}` has no case in kernels.yaml that fits this tree's Kconfig",
                          rule.name));
}

Result<VariantCase> choose_cases(const Recipe& recipe, std::string_view variant,
                                 const Declares& declares) {
  BR_TRY_ASSIGN(const auto rules, rules_of(recipe, variant));
  VariantCase all;
  for (const auto* rule : rules) {
    BR_TRY_ASSIGN(auto choice, choose_case(*rule, declares));
    std::ranges::move(choice.config, std::back_inserter(all.config));
    for (auto& [variable, words] : choice.flags)
      std::ranges::move(words, std::back_inserter(all.flags[variable]));
    std::ranges::move(choice.boot_args, std::back_inserter(all.boot_args));
    if (rule->axis == kOffloadAxis) all.offload = std::move(choice.offload);
  }
  return all;
}

}  // namespace bisect_run::kernel
