#pragma once

#include <string>
#include <vector>

#include "model/error.h"
#include "model/recipe.h"

namespace bisect_run::kernel {

/// The base with the variant's lines over it: of two lines for one symbol the later one counts,
/// and it is asked for as strictly as either of them. Order is that of first appearance.
std::vector<ConfigLine> merge(const std::vector<ConfigLine>& base,
                              const std::vector<ConfigLine>& over);

/// What a kernel is asked for: the recipe's lines with the variant's over them. Where a person gave
/// a .config, its lines, and behind them all of the recipe's musts and pinned lines and the
/// variant's: in a choice the later of two lines wins.
std::vector<ConfigLine> asked_lines(const Recipe& recipe, const std::vector<ConfigLine>& variant);

/// The lines as KCONFIG_ALLCONFIG takes them, in every tree since 2.6.
std::string fragment_text(const std::vector<ConfigLine>& lines);

/// Whether a line can be written into a fragment without becoming something else. Error: usage.
Status check(const ConfigLine& line);

}  // namespace bisect_run::kernel
