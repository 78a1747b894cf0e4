#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include "bisect/node_set.h"
#include "model/touched_paths.h"

namespace bisect_run::bisect {

/// True for a file that a kernel can only have noticed if its build's dependency files say so: C
/// and assembler source and headers outside of scripts/, tools/ and usr/, and documentation. Not
/// Kconfig, Makefile, Kbuild, scripts, tables, linker scripts, or files that others are made from.
bool shows_when_read(std::string_view path);

/// The commits to set back (design.md, section 6): every path they touch exists at both ends, shows
/// when it is read, and was read by no build so far. Merges never, nor commits that touch nothing.
NodeSet set_back(const TouchedPaths& touched, const std::unordered_set<std::string>& read);

}  // namespace bisect_run::bisect
