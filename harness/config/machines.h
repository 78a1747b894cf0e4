#pragma once

#include <map>
#include <string>
#include <string_view>

#include "config/cursor.h"
#include "model/machine.h"

namespace bisect_run::config {

/// Reads the `machines` map of a recipe.
Result<std::map<std::string, Machine>> machine_map(const Cursor& map);

/// `512 MiB` or `1GiB`, as MiB; the unit is never guessed. 64 MiB to 64 GiB. Errors: usage.
Result<int> parse_memory(std::string_view text);

/// The same from a document, with the place in errors.
Result<int> memory_mib(const Cursor& value);

}  // namespace bisect_run::config
