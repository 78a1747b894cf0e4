#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/columns.h"
#include "report/command.h"
#include "report/compare_report.h"
#include "report/numbers.h"

namespace bisect_run::report {
namespace {

constexpr std::size_t kMarkWidth = 8, kCellWidth = 22, kGap = 1;
constexpr std::size_t kColumnsABlock = (kWidth - kMarkWidth) / (kCellWidth + kGap);

std::string placed(std::string_view text) {
  return std::string(kGap, ' ') + right(text, kCellWidth);
}

std::string cell_text(const Cell& cell) {
  if (cell.boots.empty() && cell.not_supported) return "<not supported>";
  return value_text(centre(cell));
}

std::string ratio_line(const Cell& base, const Cell& cell) {
  const auto ratio = ratio_of(base, cell);
  if (!ratio) return {};
  if (!ratio->interval) return "x" + ratio_text(ratio->value);
  return fmt::format("x{} [{},{}]", ratio_text(ratio->value), ratio_text(ratio->interval->low),
                     ratio_text(ratio->interval->high));
}

/// A slice of the columns that fits the width.
class Block {
 public:
  Block(const ComparisonFacts& facts, const Series& series, std::size_t first)
      : facts_(facts),
        series_(series),
        first_(first),
        last_(std::min(first + kColumnsABlock, facts.columns.size())) {}

  std::string text() const {
    std::string lines = heading();
    for (const auto& row : series_.rows) lines += row_text(row);
    return lines;
  }

 private:
  std::string heading() const {
    std::string names(kMarkWidth, ' '), below = right("mark", kMarkWidth);
    if (series_.rows.size() == 1 && series_.rows[0].mark == 0) below = std::string(kMarkWidth, ' ');
    for (std::size_t i = first_; i < last_; ++i) {
      names += placed(kernel_name(facts_.columns[i].spec));
      below += placed(axis_name(facts_.columns[i]));
    }
    return names + "\n" + below + "\n";
  }

  std::string row_text(const Row& row) const {
    std::string values = right(row.mark > 0 ? fmt::format("{}", row.mark) : "", kMarkWidth);
    std::string ratios(kMarkWidth, ' ');
    for (std::size_t i = first_; i < last_; ++i) {
      values += placed(cell_text(row.cells[i]));
      ratios += placed(i == 0 ? "" : ratio_line(row.cells[0], row.cells[i]));
    }
    return values + "\n" + (without_end(ratios).empty() ? "" : without_end(ratios) + "\n");
  }

  const ComparisonFacts& facts_;
  const Series& series_;
  std::size_t first_, last_;
};

std::string series_text(const ComparisonFacts& facts, const Series& series) {
  std::string text =
      fmt::format("\n{}, {}\n", printable(series.metric.name), unit_text(series.metric));
  for (std::size_t first = 0; first < facts.columns.size(); first += kColumnsABlock)
    text += (first > 0 ? "\n" : "") + Block(facts, series, first).text();
  return text;
}

std::string repeat_text(const ComparisonFacts& facts) {
  if (facts.columns.empty()) return {};
  const auto& column = facts.columns.back();
  return fmt::format("\nto measure a kernel again\n  {}\n",
                     repeat_command(facts.run, kernel_name(column.spec), column.spec.variant, "",
                                    column.machine, 2));
}

}  // namespace

std::string compare_text(const ComparisonFacts& facts, Shown shown) {
  std::string text = fmt::format("{}{}, run {}: {}\n", facts.run.scenario,
                                 facts.run.mode.empty() ? "" : ", mode " + facts.run.mode,
                                 facts.run.id, to_string(facts.run.status));
  if (!facts.run.message.empty()) text += wrapped(facts.run.message, 0) + "\n";
  text += legend(facts.columns);
  if (!facts.run.remedies.empty())
    text += wrapped("built and booted with remedies: " + facts.run.remedies, 2) + "\n";
  // The usual clock of a guest goes without saying.
  if (!facts.run.clocks.empty() && facts.run.clocks != "tsc" && facts.run.clocks != "kvm-clock")
    text += wrapped("timed by: " + facts.run.clocks, 2) + "\n";
  if (const auto state = host_state_text(facts.host_state); !state.empty())
    text += wrapped("host: " + state, 6) + "\n";
  if (facts.columns.size() > 1 && !facts.series.empty())
    text += "x is the ratio to the first column, [low,high] its 95 % interval over boots\n";
  for (const auto& series : facts.series) text += series_text(facts, as_shown(series, shown));
  return text + repeat_text(facts);
}

}  // namespace bisect_run::report
