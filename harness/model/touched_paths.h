#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bisect_run {

/// What the commits of a Range change, each against its parent.
struct TouchedPaths {
  std::vector<std::string> names;              ///< every path that some commit touches, once
  std::vector<bool> at_both_ends;              ///< by name: a regular file at GOOD and at BAD
  std::vector<std::vector<std::uint32_t>> of;  ///< by node: indices into names; empty for merges
};

}  // namespace bisect_run
