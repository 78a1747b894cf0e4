#pragma once

#include <vector>

#include "engine/prober.h"

namespace bisect_run::engine {

/// One column: a kernel on a machine.
struct Cell {
  KernelSpec spec;
  Machine machine;
};

struct ComparisonSetup {
  std::vector<Cell> cells;
  Scenario scenario;
  int boots = 3;  ///< complete ones wanted of each cell
};

/// Boots every cell as often as asked, interleaved and turned round each time (A B C, C B A), so
/// that drift of the host hits all alike. Cells that cannot be measured are left out, with their
/// reason in the history. What was booted before a crash counts.
/// Errors: infra or interrupted; the run stays resumable.
Status run_comparison(const ComparisonSetup& setup, Prober& prober);

}  // namespace bisect_run::engine
