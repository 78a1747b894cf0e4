#pragma once

#include <cstddef>
#include <vector>

#include "bisect/strategy.h"

namespace bisect_run::bisect {

/// One boot, once, whatever the number of nodes that share its kernel.
struct BootFact {
  double y = 0;           ///< against the first boot of all, bounded to what a double's log can be
  double time_s = 0;      ///< since the first boot of all
  std::size_t build = 0;  ///< dense, in the order of first boots
  std::vector<Node> nodes;  ///< ascending

  bool operator==(const BootFact&) const = default;
};

/// The boots that count: finite, each listed once, in the order of the evidence.
std::vector<BootFact> boot_facts(const Evidence& evidence);

}  // namespace bisect_run::bisect
