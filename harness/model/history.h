#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/boot.h"
#include "model/error.h"
#include "model/kernel.h"

// What a run has recorded so far: the facts from which every verdict is recomputed.

namespace bisect_run {

/// One finished attempt to build. Exactly one of image and error is set.
struct BuildRecord {
  KernelSpec spec;
  std::optional<Image> image;
  std::optional<Error> error;
  std::size_t boots_before = 0;  ///< boots of the run that had begun before it was done
};

/// One boot that is over, with all it measured.
struct BootRecord {
  std::int64_t id = 0;       ///< in the results database
  KernelSpec spec;
  Boot boot;
  std::string signature;     ///< of the image that ran
  std::string scenario_digest;  ///< of what it measured; see model/scenario.h
  double ended_at = 0;       ///< seconds on the run's clock
  std::vector<Sample> samples;
};

struct History {
  std::vector<BuildRecord> builds;
  std::vector<BootRecord> boots;
  double elapsed = 0;        ///< seconds on the run's clock when it was stopped
};

}  // namespace bisect_run
