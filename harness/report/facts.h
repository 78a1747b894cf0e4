#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/history.h"
#include "model/machine.h"
#include "model/run.h"
#include "model/told_step.h"
#include "model/verdict.h"
#include "report/host_state.h"
#include "stats/summary.h"

// What the reports are made from. Whoever asks for a report fills these in; nothing here is read
// from the world.

namespace bisect_run::report {

/// What every report says of its run.
struct RunFacts {
  std::string id;
  RunStatus status = RunStatus::running;
  bool live = false;       ///< a controller is at work on it
  std::string message;     ///< why it was refused or failed
  std::string repository;  ///< for the command that repeats a point; may be empty
  std::string scenario, mode;
  std::vector<std::int64_t> marks;
  BuildChoice build;       ///< for the same command
  std::string host_cpu;  ///< model name; may be empty
  int host_cpus = 0;
  std::string host_kernel, qemu, libvirt, compiler;
  std::string remedies, clocks;  ///< see conditions.h; may be empty
};

/// What a metric's numbers mean.
struct Metric {
  std::string name;
  std::string unit = "items/s";
  stats::Better better = stats::Better::higher;
};

struct Cost {
  int builds = 0;  ///< made in this run; from the cache not counted
  int cached = 0;  ///< kernels that were there already
  int boots = 0;   ///< whatever their outcome
  double build_seconds = 0, boot_seconds = 0;
  double seconds = 0;  ///< of the run's clock
};

/// Adds up what a run has spent.
Cost cost_of(const History& history);

struct BisectFacts {
  RunFacts run;
  KernelSpec good, bad;
  bool find_fix = false;
  Metric metric;          ///< the deciding one
  std::int64_t mark = 0;  ///< the deciding one; 0 without marks
  Machine machine;
  std::optional<Answer> answer;  ///< null: none yet
  std::vector<Probe> probes;     ///< in the order of the commits
  Cost cost;
  HostState host_state;             ///< while it measured
  std::vector<std::string> recent;  ///< the last lines of the journal, for `show`
  std::vector<std::string> limits;  ///< what was asked of the search beyond the defaults
  std::vector<ToldStep> steps;      ///< for `show`
  std::string untold;               ///< why there are no steps; empty where there are
  // For the bisect log:
  std::vector<Oid> more_good, untestable;
  std::vector<std::string> paths;
  bool first_parent = false;
};

/// One kernel on one machine.
struct Column {
  KernelSpec spec;
  Machine machine;
  int boots = 0;       ///< that count
  std::string reason;  ///< why nothing was measured, or what the kernel does not have
};

/// One number per boot that counts, for one column at one mark.
struct Cell {
  std::vector<double> boots;
  bool not_supported = false;  ///< the guest has no such counter
};

struct Row {
  std::int64_t mark = 0;
  std::vector<Cell> cells;  ///< one a column
};

/// All numbers of one metric.
struct Series {
  Metric metric;
  std::vector<Row> rows;
};

struct ComparisonFacts {
  RunFacts run;
  std::vector<Column> columns;
  std::vector<Series> series;
  Cost cost;
  HostState host_state;  ///< while it measured
};

/// Fills columns (boots, reason) and series from what a run has recorded: complete boots only, the
/// median of a boot's samples at each mark. Columns of equal machine code and command line share
/// boots where one of them has none of its own. `only` may be empty: all metrics, in the order in
/// which they are found.
ComparisonFacts comparison_from(RunFacts run, std::vector<Column> columns, const History& history,
                                const std::vector<std::string>& only);

/// What the unit of a metric means for its direction: times, counts of misses and the like are
/// better low, rates are better high.
stats::Better better_for(std::string_view unit);

}  // namespace bisect_run::report
