#pragma once

#include <string>

#include "model/verdict.h"

namespace bisect_run::report {

/// What stands behind an answer and beside it, as lines of the report: the revert, how often the
/// level changed, what is left of the difference.
std::string proof_text(const Answer& answer);

/// The further changes that were found, each with a heading of its own; empty without any.
std::string further_text(const Answer& answer);

}  // namespace bisect_run::report
