#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"

namespace bisect_run::cli {

/// What the grammar of the command line cannot say. Errors: usage.
Status check(const Arguments& arguments);

/// A sentence for a first word that is none of `commands` but nearly one; else empty.
std::string meant_command(const std::vector<std::string>& commands, int argc,
                          const char* const* argv);

}  // namespace bisect_run::cli
