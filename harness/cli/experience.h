#pragma once

#include <optional>

#include "cli/inputs.h"
#include "cli/places.h"

namespace bisect_run::cli {

/// What earlier runs on this machine tell of the next one. What nothing tells is not set.
struct Experience {
  std::optional<double> build_s, boot_s;  ///< means
  std::optional<double> sigma;            ///< of a boot, as a part of its value
  int builds = 0, boots = 0;              ///< that they come from
};

/// From the latest runs of this host: builds of all, boots of those with the same scenario, metric,
/// mark and number of vCPUs. Empty where there are no results, or none that can be read.
Experience experience_of(const Places& places, const Inputs& inputs);

}  // namespace bisect_run::cli
