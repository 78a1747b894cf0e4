#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/allowance.h"
#include "engine/evidence.h"
#include "engine/prober.h"
#include "model/verdict.h"

// The config trap: where a commit changes what the variant is made of (a Kconfig symbol appears, a
// choice takes another shape), every bisection of that variant ends there, whatever its code does.

namespace bisect_run::engine {

/// What differs between two images of one variant: the symbols asked for, the boot arguments, the
/// CPUs to be offloaded. Equal images have none.
std::vector<ConfigDifference> config_differences(const Image& parent, const Image& commit);

struct TrapSetup {
  const Range& range;
  std::string variant;
  std::string equivalent;  ///< the variant that does the same by boot arguments; may be empty
  Scenario scenario;
  Machine machine;
  Question question;
  Allowance allowance;
  int boots = 3;  ///< of the parent in the equivalent variant
};

/// Nothing if the configuration of `commit` equals that of one of its parents that were built: then
/// it cannot be what differs. Else the first such parent is measured in the equivalent variant, to
/// tell the configuration from the commit's code: at the new level, the configuration is the
/// cause; at the old one, the commit. Boots of an earlier try of the run count. Where the allowance
/// does not last, the reason says so.
/// Errors: infra or interrupted; the run stays resumable.
Result<std::optional<ConfigChange>> examine_configuration(const TrapSetup& setup,
                                                          const Commit& commit, Prober& prober);

}  // namespace bisect_run::engine
