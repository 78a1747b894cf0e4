#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/cursor.h"

namespace bisect_run::config {

/// Reads a list of `NAME=value`. The compiler is not set here but as `cc:` or by flags.
Result<std::vector<std::string>> make_variables(const Cursor& list);

/// Why `text` cannot be given to make as a variable, NAME=value, by a recipe or a person; empty
/// where it can. What the harness sets itself is refused.
std::string make_variable_problem(std::string_view text);

}  // namespace bisect_run::config
