#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"
#include "git/repository.h"

namespace bisect_run::cli {

/// All SPECs of a command: those typed, then the lines of --list, then the tags of --tags in the
/// order of history. Errors: usage, of a file that cannot be read or a range without tags.
Result<std::vector<std::string>> listed_kernels(const Arguments& arguments,
                                                const git::Repository& repository);

/// The SPECs of a list: one a line, `#` begins a comment, blank lines are nothing.
std::vector<std::string> specs_of(std::string_view text);

}  // namespace bisect_run::cli
