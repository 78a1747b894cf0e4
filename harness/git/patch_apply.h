#pragma once

#include <string>
#include <string_view>

#include "git/patch_text.h"
#include "model/error.h"

namespace bisect_run::git {

/// `original` with the hunks of `change` carried out. Strict as `git apply`: every context line
/// must be there, hunks may have moved up or down, none may overlap an earlier one.
/// Errors: usage, naming the file and the hunk, and whether it is there already or would fit with
/// the fuzz of patch(1), which is never used.
Result<std::string> apply_hunks(std::string_view original, const FileChange& change);

}  // namespace bisect_run::git
