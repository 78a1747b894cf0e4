#pragma once

#include <functional>
#include <span>
#include <vector>

#include "git/commit_text.h"
#include "model/commit.h"
#include "model/error.h"

namespace bisect_run::git {

using CommitReader = std::function<Result<CommitText>(const RawId&)>;

struct WalkedRange {
  Range range;  ///< means nothing where a good end is no ancestor of BAD
  /// By good end: whether the walk from BAD came to it. With one good end that is exactly whether
  /// it is an ancestor of BAD, whatever the dates say; with several, one that was not met may lie
  /// below another.
  std::vector<bool> met;

  bool all_met() const;
};

/// Loads what BAD reaches and no good end does, with one read per commit. The first good end is
/// the range's GOOD.
///
/// Pure but for `read`. Candidates are found newest date first, as git does; where clocks were
/// wrong the walk goes on a while on the good side, so that a commit older than its parents is
/// still seen to be reachable from GOOD. The result depends on the history alone.
Result<WalkedRange> walk_range(std::span<const RawId> good, const RawId& bad,
                               const CommitReader& read);

}  // namespace bisect_run::git
