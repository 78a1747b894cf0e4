#pragma once

#include <string>
#include <vector>

#include "git/repository.h"
#include "model/run.h"

namespace bisect_run::cli {

/// Where a bisect looks.
struct SearchSpace {
  Range range;
  std::vector<bool>
      behind;  ///< by node: hardly suspected, for it touches none of the paths; empty: none
};

/// Between the ends of a bisect, as its request narrows it.
/// Errors: usage, for ends or paths between which there is nothing to search.
Result<SearchSpace> search_space(const git::Repository& repository, const RunRequest& request);

/// What the person asked of the search beyond the defaults, one clause each.
std::vector<std::string> search_limits(const RunRequest& request);

}  // namespace bisect_run::cli
