#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bisect_run::git {

/// Up to three of `names` that `word` may have been meant to be, nearest first: at most two
/// letters (a third of a short word) added, dropped, changed or exchanged. Without duplicates.
std::vector<std::string> nearest_names(std::string_view word,
                                       const std::vector<std::string>& names);

}  // namespace bisect_run::git
