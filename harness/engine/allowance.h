#pragma once

#include <optional>
#include <string>

#include "engine/prober.h"

namespace bisect_run::engine {

/// What a run may spend.
struct Allowance {
  int most_boots = 0;              ///< what the run has made included; 0: no limit
  std::optional<double> deadline;  ///< on the run's clock
};

/// Whether one more boot of this kernel, and its build where it is not built, would end before the
/// deadline, by what builds and boots took in this run; while nothing is known, they take no time.
bool in_time(const Allowance& allowance, const KernelSpec& spec, Prober& prober);

/// Why this kernel may not be booted once more, for a person; empty if it may.
std::string spent(const Allowance& allowance, const KernelSpec& spec, Prober& prober);

/// The same before its build; empty where it has been built, since then nothing is begun and boots
/// that were made can be judged.
std::string spent_before_build(const Allowance& allowance, const KernelSpec& spec, Prober& prober);

}  // namespace bisect_run::engine
