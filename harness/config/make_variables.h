#pragma once

#include <string>
#include <vector>

#include "config/cursor.h"

namespace bisect_run::config {

/// Reads a list of `NAME=value`. The compiler is not set here but as `cc:` or by flags.
Result<std::vector<std::string>> make_variables(const Cursor& list);

}  // namespace bisect_run::config
