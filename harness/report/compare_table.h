#pragma once

#include <string>

#include "report/facts.h"

namespace bisect_run::report {

/// A metric's table in the layout of the threads: kernels and variants as columns, marks as rows,
/// beside each number its change against the base and the letter of its verdict. ASCII, at most 78
/// columns; machines one below the other.
std::string table_text(const ComparisonFacts& facts, const Series& series);

/// What the letters mean, for the head of the tables.
std::string letters_text(const ComparisonFacts& facts);

/// S, F, = or ?; a blank where there is nothing to judge.
char letter_of(const Cell& cell);

/// How many cells were called what, and each cell with its effect, 95 % interval and boots.
std::string verdicts_text(const ComparisonFacts& facts);

/// `12 slower, 3 faster, 40 the same, 5 undecided, of 60 cells`.
std::string tally_text(const ComparisonFacts& facts);

/// The cells with a given verdict.
int cells_with(const ComparisonFacts& facts, stats::CellVerdict verdict);

/// A relative change in at most seven characters: `-83.3%`, `+120.0%`, and from tenfold on `x15.3`,
/// `x13707`, `>x1e6`.
std::string change_text(double relative);

}  // namespace bisect_run::report
