#pragma once

#include <string_view>

#include "model/error.h"

// Numbers with a unit, as a person types them.

namespace bisect_run::cli {

/// `90s`, `45m`, `6h`, `1h30m`, `2d`: seconds, above 0. Errors: usage.
Result<double> seconds_from(std::string_view text);

/// `5%` or `0.05`: 0.05, above 0 and below 1. Errors: usage.
Result<double> share_from(std::string_view text);

}  // namespace bisect_run::cli
