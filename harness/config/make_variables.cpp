#include "config/make_variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "model/try.h"

namespace bisect_run::config {

Result<std::vector<std::string>> make_variables(const Cursor& list) {
  BR_TRY_ASSIGN(const auto items, list.list());
  std::vector<std::string> variables;
  for (const Cursor& item : items) {
    BR_TRY_ASSIGN(std::string text, item.text());
    if (const auto problem = make_variable_problem(text); !problem.empty())
      return std::unexpected(item.fault(problem));
    variables.push_back(std::move(text));
  }
  return variables;
}

std::string make_variable_problem(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    return "a make variable is written NAME=value";
  const auto name = text.substr(0, equals);
  const auto word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; };
  if (!std::ranges::all_of(name, word))
    return fmt::format("'{:.40}' is no name of a make variable", name);
  if (name == "CC") return "write the compiler as `cc:`, or --compiler";
  if (name == "ARCH" || name == "SUBARCH") return "only x86_64 kernels are built";
  if (name == "O" || name == "KBUILD_OUTPUT" || name.starts_with("KCONFIG_"))
    return fmt::format("{} is set for each build", name);
  return {};
}

}  // namespace bisect_run::config
