#pragma once

#include <map>
#include <string>

#include "config/cursor.h"
#include "model/machine.h"

namespace bisect_run::config {

/// Reads the `machines` map of a recipe.
Result<std::map<std::string, Machine>> machine_map(const Cursor& map);

/// `512 MiB` or `1 GiB`, as MiB; the unit is never guessed. 64 MiB to 64 GiB.
Result<int> memory_mib(const Cursor& value);

}  // namespace bisect_run::config
