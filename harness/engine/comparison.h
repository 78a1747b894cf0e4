#pragma once

#include <string>
#include <vector>

#include "engine/prober.h"
#include "stats/matrix.h"

namespace bisect_run::engine {

/// One column: a kernel on a machine.
struct Cell {
  KernelSpec spec;
  Machine machine;
};

struct ComparisonSetup {
  std::vector<Cell> cells;
  std::vector<Scenario> scenarios;  ///< each cell measures all of them, a boot each
  int boots = 3;                    ///< complete ones wanted of each cell and scenario
  int most_boots = 0;               ///< so many where fewer leave something undecided; 0: `boots`
  std::string metric;               ///< what must be decided; empty: everything that is a rate
  stats::MatrixRule rule;           ///< its looks are counted here
};

/// Boots every cell as often as asked, interleaved and turned round each time (A B C, C B A), so
/// that drift of the host hits all alike. Where that leaves a cell undecided against the first one
/// on the same machine, both get more boots, up to `most_boots`. Cells that cannot be measured are
/// left out, with their reason in the history; a kernel that is the same machine code as one before
/// it is not booted. What was booted before a crash counts.
/// Errors: infra or interrupted; the run stays resumable.
Status run_comparison(const ComparisonSetup& setup, Prober& prober);

}  // namespace bisect_run::engine
