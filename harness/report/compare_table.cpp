#include "report/compare_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "report/columns.h"
#include "report/compare_report.h"
#include "report/numbers.h"

namespace bisect_run::report {
namespace {

constexpr std::size_t kMark = 6, kNumber = 9, kChange = 8, kLetter = 2;
constexpr std::size_t kFull = kNumber + kChange + kLetter;  // of a column with a change

/// Columns side by side: all of one machine, as many as fit.
struct Slice {
  std::vector<std::size_t> columns;
  std::size_t width = kMark;
};

bool has_change(const ComparisonFacts& facts, std::size_t column) {
  return facts.columns[column].base != column;
}

std::size_t width_of(const ComparisonFacts& facts, std::size_t column) {
  return has_change(facts, column) ? kFull : kNumber;
}

std::vector<Slice> slices_of(const ComparisonFacts& facts) {
  std::vector<Slice> slices;
  std::vector<std::size_t> bases;
  for (const auto& column : facts.columns)
    if (std::ranges::find(bases, column.base) == bases.end()) bases.push_back(column.base);
  for (const auto base : bases) {
    slices.emplace_back();
    for (std::size_t i = 0; i < facts.columns.size(); ++i) {
      if (facts.columns[i].base != base) continue;
      const auto width = width_of(facts, i) + 1;
      if (slices.back().width + width > kWidth) slices.emplace_back();
      slices.back().columns.push_back(i);
      slices.back().width += width;
    }
  }
  return slices;
}

/// Each kernel's name once, over all its variants.
std::string name_line(const ComparisonFacts& facts, const Slice& slice) {
  std::string line(kMark, ' ');
  for (std::size_t i = 0; i < slice.columns.size();) {
    const auto& spec = facts.columns[slice.columns[i]].spec;
    std::size_t width = width_of(facts, slice.columns[i]);
    std::size_t next = i + 1;
    for (; next < slice.columns.size() &&
           typed_name(facts.columns[slice.columns[next]].spec) == typed_name(spec);
         ++next)
      width += 1 + width_of(facts, slice.columns[next]);
    const auto shown = kernel_name(spec, width);
    line += " " + left(shown.size() < kNumber ? right(shown, kNumber) : shown, width);
    i = next;
  }
  return without_end(line) + "\n";
}

std::string variant_line(const ComparisonFacts& facts, const Slice& slice, bool marked) {
  std::string line = right(marked ? "mark" : "", kMark);
  for (const auto column : slice.columns)
    line += " " + left(right(cut(facts.columns[column].spec.variant, kNumber), kNumber),
                       width_of(facts, column));
  return without_end(line) + "\n";
}

std::string cell_text(const ComparisonFacts& facts, const Row& row, std::size_t column) {
  const Cell& cell = row.cells[column];
  if (cell.boots.empty() && cell.not_supported)
    return left("<not supported>", width_of(facts, column));
  auto text = right(value_text(centre(cell)), kNumber);
  if (!has_change(facts, column)) return text;
  if (const auto ratio = ratio_of(row.cells[facts.columns[column].base], cell))
    text += right(change_text(ratio->value - 1), kChange) + " " + letter_of(cell);
  return left(text, kFull);
}

std::string slice_text(const ComparisonFacts& facts, const Series& series, const Slice& slice) {
  const bool marked = std::ranges::any_of(series.rows, [](const Row& row) { return row.mark > 0; });
  std::string text = name_line(facts, slice) + variant_line(facts, slice, marked);
  for (const auto& row : series.rows) {
    auto line = right(row.mark > 0 ? fmt::format("{}", row.mark) : "", kMark);
    for (const auto column : slice.columns) line += " " + cell_text(facts, row, column);
    text += without_end(line) + "\n";
  }
  return text;
}

bool machines_differ(const ComparisonFacts& facts) {
  return std::ranges::any_of(facts.columns, [&](const Column& column) {
    return column.machine.cpus != facts.columns.front().machine.cpus;
  });
}

}  // namespace

std::string change_text(double relative) {
  const double percent = relative * 100;
  if (!std::isfinite(percent)) return "-";
  const double ratio = 1 + relative;
  if (ratio >= 999'999.5) return ">x1e6";
  if (ratio >= 99.95) return fmt::format("x{:.0f}", ratio);
  return ratio >= 9.995 ? fmt::format("x{:.1f}", ratio) : fmt::format("{:+.1f}%", percent);
}

char letter_of(const Cell& cell) {
  if (!cell.judged) return ' ';
  switch (cell.judged->verdict) {
    case stats::CellVerdict::faster:
      return 'F';
    case stats::CellVerdict::slower:
      return 'S';
    case stats::CellVerdict::same:
      return '=';
    case stats::CellVerdict::undecided:
      return '?';
  }
  return ' ';
}

std::string letters_text(const ComparisonFacts& facts) {
  return wrapped(fmt::format("%: the change against the first column{}. S slower, F faster: at "
                             "most {} % of all tables of equal kernels have such a letter. "
                             "= differs by less than {} %, ? undecided.",
                             machines_differ(facts) ? " of the same machine" : "",
                             trimmed(facts.rule.error * 100, 2),
                             trimmed(facts.rule.min_effect * 100, 2)),
                 0) +
         "\n";
}

std::string table_text(const ComparisonFacts& facts, const Series& series) {
  std::string text =
      fmt::format("{}{}, {}\n", facts.run.more_scenarios.empty() ? "" : series.scenario + ": ",
                  printable(series.metric.name), unit_text(series.metric));
  bool first = true;
  for (const auto& slice : slices_of(facts)) {
    if (!first) text += "\n";
    if (machines_differ(facts)) {
      const int cpus = facts.columns[slice.columns.front()].machine.cpus;
      text += fmt::format("{:>{}} {} vCPU{}\n", "", kMark, cpus, cpus == 1 ? "" : "s");
    }
    text += slice_text(facts, series, slice);
    first = false;
  }
  return text;
}

}  // namespace bisect_run::report
