#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/cursor.h"

namespace bisect_run::config {

/// Words by the make variable that they are added to.
using FlagWords = std::map<std::string, std::vector<std::string>>;

/// Whether the value of a make variable is a command or a list of flags, so that several may add to
/// it.
bool takes_flags(std::string_view variable);

/// The names that may stand in braces, and nothing else may.
Status check_braces(const Cursor& value, std::string text);

/// Reads a map from variables that take flags to lists of single words.
Result<FlagWords> flag_words(const Cursor& map);

}  // namespace bisect_run::config
