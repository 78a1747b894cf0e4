#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/variant.h"
#include "model/error.h"
#include "model/kernel.h"
#include "model/recipe.h"

namespace bisect_run::kernel {

/// The values of a .config, without CONFIG_; what is not set does not appear.
std::map<std::string, std::string, std::less<>> parse_config(std::string_view text);

/// What became of every line asked for; of the lines of a person's own .config, which are
/// thousands, of those only that were not kept.
std::vector<LedgerLine> settle(const std::vector<ConfigLine>& asked, std::string_view config,
                               const Declares& declares);

/// Error: skip_build if a must-have of the ledger is not there, naming all of them and why.
Status check_musts(const std::vector<LedgerLine>& ledger);

}  // namespace bisect_run::kernel
