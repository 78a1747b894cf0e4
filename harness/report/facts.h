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
#include "stats/matrix.h"
#include "stats/summary.h"

// What the reports are made from. Whoever asks for a report fills these in; nothing here is read
// from the world.

namespace bisect_run::report {

/// A scenario as it was measured.
struct MeasuredScenario {
  std::string name, mode;
  std::string digest;  ///< stored with every boot
};

/// A kernel of the run, as it was built. Texts are empty where they are not known.
struct BuiltKernel {
  std::string name;  ///< as in columns
  Oid commit;
  std::string variant;
  std::string release, compiler, hz, preemption;
  std::optional<std::string> offloaded;  ///< CPUs that the guest's own log names; null: no boot
  std::vector<LedgerLine> ledger;
  std::vector<AppliedRemedy> remedies;
  std::string failure;  ///< why there is none
};

/// What two kernels do not have in common: a symbol of .config (n where it is not set), a remedy,
/// or the boot arguments.
struct ConfigDifference {
  std::string symbol, first, second;
};

struct FailedBoot {
  KernelSpec spec;
  BootOutcome outcome = BootOutcome::infra;
  std::string reason, console_tail;
};

/// What every report says of its run.
struct RunFacts {
  std::string id;
  RunStatus status = RunStatus::running;
  bool live = false;       ///< a controller is at work on it
  std::string message;     ///< why it was refused or failed
  std::string repository;  ///< for the command that repeats a point; may be empty
  std::string scenario, mode;
  std::vector<MeasuredScenario> more_scenarios;  ///< of a comparison, beside that one
  std::vector<std::int64_t> marks;
  BuildChoice build;     ///< for the same command
  std::string host_cpu;  ///< model name; may be empty
  int host_cpus = 0;
  std::string host_kernel, qemu, libvirt, compiler;
  std::string remedies, clocks;  ///< see conditions.h; may be empty
  std::string version, agent_digest, scenario_digest, scenario_text;
  std::optional<double> left_s;  ///< of a live run: about so many seconds still
  std::string started;           ///< UTC, ISO 8601; may be empty
  std::vector<BuiltKernel> kernels;
  std::string differ_first, differ_second;  ///< the kernels whose configurations were compared
  std::optional<std::vector<ConfigDifference>> differences;  ///< null: not known
  std::vector<FailedBoot> failures;
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

/// One boot on the way to an answer, in the order of time.
struct BootPoint {
  Oid commit;
  std::optional<std::size_t> place;  ///< number of the commit in the order of history; 0 is GOOD
  double at_s = 0;                   ///< on the run's clock
  BootOutcome outcome = BootOutcome::complete;
  std::string reason;
  std::optional<double> value;  ///< of the deciding metric
};

/// One kernel on one machine.
struct Column {
  KernelSpec spec;
  Machine machine;
  int boots = 0;         ///< that count
  std::string reason;    ///< why nothing was measured, or what the kernel does not have
  std::size_t base = 0;  ///< place of the column it is compared with: the first of its machine
  std::optional<std::size_t> same_as;  ///< place of the one whose machine code it is, not booted
};

/// One number per boot that counts, for one column at one mark.
struct Cell {
  std::vector<double> boots;
  bool not_supported = false;               ///< the guest has no such counter
  std::optional<stats::JudgedCell> judged;  ///< against its base; see judge_table
};

struct Row {
  std::int64_t mark = 0;
  std::vector<Cell> cells;  ///< one a column
};

/// All numbers of one metric.
struct Series {
  Metric metric;
  std::string scenario;  ///< which measured it
  std::vector<Row> rows;
};

struct ComparisonFacts {
  RunFacts run;
  std::vector<Column> columns;
  std::vector<Series> series;
  Cost cost;
  HostState host_state;  ///< while it measured
  stats::MatrixRule rule;
};

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
  std::vector<BootPoint> boots;
  std::size_t candidates = 0;       ///< commits under suspicion; 0: their history is not at hand
  std::vector<double> suspicion;    ///< probability of each, by place; may be empty
  std::vector<Oid> beside;          ///< probed, in order after the answer, and without it
  std::vector<std::string> people;  ///< who the commit names, where that was asked for
  HostState host_state;             ///< while it measured
  std::vector<std::string> limits;  ///< what was asked of the search beyond the defaults
  std::vector<ToldStep> steps;      ///< for `show`
  std::string untold;               ///< why there are no steps; empty where there are
  // For the bisect log:
  std::vector<Oid> more_good, untestable;
  std::vector<std::string> paths;
  bool first_parent = false;
  std::optional<ComparisonFacts> levels;  ///< the ends, the answer and its parents side by side
  std::vector<std::string> recent;        ///< the last lines of the journal, for `show`
};

/// Judges all cells of all series together, each against its base.
void judge_table(ComparisonFacts& facts);

/// A boot with one sample for each metric and mark, their median: all that a table needs of it.
void reduce(BootRecord& record);

/// Fills columns (boots, reason) and series from what a run has recorded: complete boots only, the
/// median of a boot's samples at each mark. Columns of equal machine code and command line share
/// boots where one of them has none of its own. `only` may be empty: all metrics, in the order in
/// which they are found. The table is judged by `rule`.
ComparisonFacts comparison_from(RunFacts run, std::vector<Column> columns, const History& history,
                                const std::vector<std::string>& only,
                                const stats::MatrixRule& rule = {});

/// What the unit of a metric means for its direction: times, counts of misses and the like are
/// better low, rates are better high.
stats::Better better_for(std::string_view unit);

}  // namespace bisect_run::report
