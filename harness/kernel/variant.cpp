#include "kernel/variant.h"

#include <algorithm>

#include <fmt/format.h>

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

}  // namespace bisect_run::kernel
