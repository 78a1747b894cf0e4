#pragma once

#include <functional>

#include "git/commit_text.h"
#include "model/commit.h"
#include "model/error.h"

namespace bisect_run::git {

using CommitReader = std::function<Result<CommitText>(const RawId&)>;

struct WalkedRange {
  Range range;                    ///< empty where `good_is_ancestor` is false
  bool good_is_ancestor = false;  ///< of BAD; exact whatever the dates say
};

/// Loads what BAD reaches and GOOD does not, with one read per commit.
///
/// Pure but for `read`. Candidates are found newest date first, as git does; where clocks were
/// wrong the walk goes on a while on the good side, so that a commit older than its parents is
/// still seen to be reachable from GOOD. The result depends on the history alone.
Result<WalkedRange> walk_range(const RawId& good, const RawId& bad, const CommitReader& read);

}  // namespace bisect_run::git
