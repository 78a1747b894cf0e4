#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "stats/effect.h"
#include "stats/summary.h"

// Verdicts of a whole table at once: many cells, each against its own base, looked at more than
// once while boots come in.

namespace bisect_run::stats {

/// `same` is a difference that is, by its 95 % interval, smaller than the rule's least effect.
enum class CellVerdict { faster, slower, same, undecided };

std::string_view to_string(CellVerdict verdict);

/// When a cell is called faster or slower.
struct MatrixRule {
  /// The probability that a table of equal kernels has any cell called, over all cells and looks.
  double error = 0.01;
  double min_effect = 0.02;  ///< relative; a smaller difference is no difference
  int looks = 1;             ///< how often the table is judged at most
};

/// One cell: one number per boot on each side, all positive.
struct MatrixCell {
  std::vector<double> base, other;
  Better better = Better::higher;
  bool same_kernel = false;  ///< the same machine code: nothing to decide
};

struct JudgedCell {
  CellVerdict verdict = CellVerdict::undecided;
  Effect effect;            ///< other over base minus 1, with its own 95 % interval
  std::optional<double> p;  ///< two-sided, of this cell alone; nothing below two boots a side
};

/// Judges every cell: Welch's test on the logarithms of the boots, Holm's step-down correction
/// (S. Holm, Scand. J. Statist. 6, 1979) over the cells that have a p, and Bonferroni's over the
/// looks. Nothing for a cell without a positive number on each side.
std::vector<std::optional<JudgedCell>> judge(std::span<const MatrixCell> cells,
                                             const MatrixRule& rule);

/// How many boots each kernel has had when the table is looked at: `first`, then half as many more
/// each time, up to `most`. One look at `first` where `most` is not above it.
std::vector<int> look_schedule(int first, int most);

}  // namespace bisect_run::stats
