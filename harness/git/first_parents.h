#pragma once

#include "model/commit.h"
#include "model/error.h"

namespace bisect_run::git {

/// The part of a range that is met when every merge is followed along its first parent, from BAD
/// until a commit that is no candidate. GOOD stays node 0, wherever it lies.
/// Errors: usage, where that way ends at a root.
Result<Range> first_parents_of(const Range& range);

}  // namespace bisect_run::git
