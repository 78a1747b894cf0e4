#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "model/error.h"
#include "model/kernel.h"
#include "model/recipe.h"

namespace bisect_run::kernel {

/// The lines of a person's .config, to be asked of every tree. Left out is what Kconfig finds out
/// by itself of compiler and tools. Errors: usage, naming the file and what is wrong with it.
Result<std::vector<ConfigLine>> read_own_config(const std::filesystem::path& file);

/// The same from the file's text; `name` is for messages.
Result<std::vector<ConfigLine>> parse_own_config(std::string_view text, std::string_view name);

/// The lines of a person's .config that an image did not keep, as a sentence that names some of
/// them and why; empty where all were kept.
std::string lost_own_lines(const std::vector<ConfigLine>& own,
                           const std::vector<LedgerLine>& ledger);

}  // namespace bisect_run::kernel
