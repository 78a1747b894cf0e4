#pragma once

#include <optional>
#include <string>

#include "report/facts.h"
#include "stats/effect.h"

namespace bisect_run::report {

/// What the cells of a table show of a rate.
enum class Shown { rate, ms_per_item };

/// How many cells are faster, slower, the same or undecided; a table a metric in the layout of the
/// threads (see compare_table.h), each number the geometric mean over boots; each cell's change
/// against its base with the 95 % interval (Welch on logarithms; boots are the unit). ASCII, at
/// most 78 columns; `-` is a missing number.
std::string compare_text(const ComparisonFacts& facts, Shown shown = Shown::rate);

/// One JSON object as schemas/compare.schema.json says. A cell without a number has nulls.
std::string compare_json(const ComparisonFacts& facts);

/// The centre of a cell; nothing without a boot, or where a boot's number is not positive.
std::optional<double> centre(const Cell& cell);

/// `cell` over `base`, with an interval from two boots a side on.
struct Ratio {
  double value = 1;
  std::optional<stats::Interval> interval;
};
std::optional<Ratio> ratio_of(const Cell& base, const Cell& cell);

/// The same numbers as time per item in ms, where the unit is a rate; else unchanged.
Series as_shown(const Series& series, Shown shown);

/// `items/s (higher is better)`
std::string unit_text(const Metric& metric);

}  // namespace bisect_run::report
