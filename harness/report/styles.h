#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/error.h"
#include "report/facts.h"
#include "report/totals.h"

// Results in the shapes of the mailing-list threads whose measurements this tool repeats. ASCII,
// at most 78 columns unless a name is longer.

namespace bisect_run::report {

/// Three lines a kind: created, addresses added, deleted, each with its total and per item.
std::string greear_style(const std::vector<LoopTotal>& totals);

/// real, user and sys a phase, as bash's `time` prints them; below, for every phase that was
/// measured with several numbers of items, the time per item and its ratio to the smallest number.
std::string bligh_style(const std::vector<LoopTotal>& totals);

/// Marks as rows, kernels and variants as columns, the change against the first column in
/// brackets.
std::string tinoco_style(const ComparisonFacts& facts);

/// One counter of a `perf stat` block, by perf's own name.
struct Counter {
  std::string name;             ///< task-clock (in ms), context-switches, cycles, …
  std::optional<double> value;  ///< null: the guest does not have it
};
struct CounterBlock {
  std::string command;  ///< what was measured
  std::vector<Counter> counters;
  double elapsed_s = 0;
  std::optional<double> pair_ns;  ///< cost of a pair of atomic operations
};
/// With the derived figures behind `#` that perf prints: CPUs utilised, rates, GHz, instructions
/// per cycle, percentages of branches and of cycles.
std::string dumazet_style(const CounterBlock& block);

/// Means over boots, harmonic for rates and arithmetic for the rest, with the gain or loss against
/// the first column in brackets: positive is better.
std::string mmtests_style(const ComparisonFacts& facts);

/// What stands above a style that says only numbers: scenario, mode, run, and each kernel with its
/// machine, its boots, and what could not be measured on it.
std::string style_heading(const ComparisonFacts& facts);

enum class Style { table, greear, bligh, tinoco, dumazet, mmtests };
/// Errors: usage, with the names that exist.
Result<Style> style_from(std::string_view name);

}  // namespace bisect_run::report
