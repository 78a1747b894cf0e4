#pragma once

#include <string>

#include "model/kernel.h"

namespace bisect_run {

/// What tells two kernels of one run apart: commit, patches and variant, as one string.
std::string spec_key(const KernelSpec& spec);

}  // namespace bisect_run
