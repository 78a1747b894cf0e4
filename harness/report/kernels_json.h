#pragma once

#include "report/facts.h"
#include "report/json_values.h"

namespace bisect_run::report {

/// Each kernel that was built or tried: by what, with which remedies, and what of the configuration
/// did not become what was asked for.
Json kernels_json(const RunFacts& run);

}  // namespace bisect_run::report
