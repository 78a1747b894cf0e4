#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/error.h"

namespace bisect_run::kernel {

/// What the Kconfig files of a tree declare for x86.
struct Kconfig {
  std::set<std::string, std::less<>> symbols;
  std::string digest;  ///< of all files that were read, with their names

  bool declares(std::string_view symbol) const { return symbols.contains(symbol); }
};

/// Reads Kconfig and all it sources, following names only: conditions are not evaluated, so a
/// declared symbol may still be out of reach. Files that are not there are left to configure's own
/// complaint. Error: skip_build if the tree has no Kconfig at all.
Result<Kconfig> read_kconfig(const std::filesystem::path& tree);

/// Adds what one file declares to `symbols` and the names it sources to `sources`.
void scan_kconfig(std::string_view text, std::set<std::string, std::less<>>& symbols,
                  std::vector<std::string>& sources);

}  // namespace bisect_run::kernel
