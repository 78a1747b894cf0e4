#pragma once

#include <string>
#include <string_view>

#include "model/error.h"

namespace bisect_run::git {

/// The name on a `---` or `+++` line, without the time that plain diffs put behind a tab.
std::string_view header_name(std::string_view rest_of_line);

/// Whether that time is the epoch, which is how `diff -N` says that there is no such file.
bool says_no_file(std::string_view rest_of_line);

/// Unquotes `name`, drops `strip` leading components and makes sure that what is left stays
/// inside the tree: relative, without `.`, `..`, empty or `.git` components. Errors: usage.
Result<std::string> clean_path(std::string_view name, int strip);

/// The path in `a/PATH b/PATH`, where both are the same. Errors: usage.
Result<std::string> path_of_git_header(std::string_view names);

}  // namespace bisect_run::git
