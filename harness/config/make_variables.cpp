#include "config/make_variables.h"

#include "model/try.h"

namespace bisect_run::config {

Result<std::vector<std::string>> make_variables(const Cursor& list) {
  BR_TRY_ASSIGN(const auto items, list.list());
  std::vector<std::string> variables;
  for (const Cursor& item : items) {
    BR_TRY_ASSIGN(std::string text, item.text());
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      return std::unexpected(item.fault("a make variable is written NAME=value"));
    if (text.starts_with("CC=")) return std::unexpected(item.fault("write the compiler as `cc:`"));
    variables.push_back(std::move(text));
  }
  return variables;
}

}  // namespace bisect_run::config
