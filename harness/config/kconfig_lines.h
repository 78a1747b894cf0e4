#pragma once

#include <vector>

#include "config/cursor.h"
#include "model/recipe.h"

namespace bisect_run::config {

/// Reads a map of `SYMBOL: value` into config lines, all of them `must` or none.
Result<std::vector<ConfigLine>> config_lines(const Cursor& map, bool must);

/// Reads a list of symbol names.
Result<std::vector<std::string>> symbol_list(const Cursor& list);

/// Reads a list of words for a kernel's command line; `{last}` and `{tsc_khz}` stay as they are.
Result<std::vector<std::string>> boot_arguments(const Cursor& list);

}  // namespace bisect_run::config
