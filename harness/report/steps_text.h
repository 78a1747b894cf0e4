#pragma once

#include <string>

#include "report/facts.h"

namespace bisect_run::report {

/// Why each step was made and what it changed, in the order of time. Empty for a run that has not
/// begun.
std::string steps_text(const BisectFacts& facts);

}  // namespace bisect_run::report
