#pragma once

#include <string>

#include "model/history.h"

namespace bisect_run::report {

/// Which remedies of kernels.yaml the kernels of a run were built and booted with, and how many
/// each: `compiler-header (12 kernels), acpi-sections (3)`. Empty where none was needed.
std::string remedies_used(const History& history);

/// The clocks that timed the samples of complete boots, most boots first. A kernel whose own clock
/// was not used is named with it.
std::string clocks_used(const History& history);

}  // namespace bisect_run::report
