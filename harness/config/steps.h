#pragma once

#include <span>
#include <string>
#include <vector>

#include "config/cursor.h"
#include "wire/workload.h"

namespace bisect_run::config {

/// Reads a list of steps: `operation` or `operation: {parameter: value, …}`. Each is checked
/// against the operations table, gets its defaults, and must be possible in every one of `modes`.
Result<std::vector<wire::Step>> step_list(const Cursor& list, std::span<const std::string> modes);

}  // namespace bisect_run::config
