#include <fmt/format.h>

#include <algorithm>

#include "report/columns.h"
#include "report/compare_table.h"
#include "report/numbers.h"

namespace bisect_run::report {
namespace {

std::string column_name(const ComparisonFacts& facts, std::size_t column) {
  const auto& spec = facts.columns[column].spec;
  auto name = fmt::format("{}@{}", kernel_name(spec), spec.variant);
  const int cpus = facts.columns[column].machine.cpus;
  if (cpus != facts.columns.front().machine.cpus) name += fmt::format("/{}", cpus);
  return name;
}

std::string interval_text(const stats::Effect& effect) {
  if (!effect.interval) return "one boot";
  return fmt::format("{} to {}", change_text(effect.interval->low),
                     change_text(effect.interval->high));
}

std::string cell_line(const ComparisonFacts& facts, const Series& series, const Row& row,
                      std::size_t column) {
  const Cell& cell = row.cells[column];
  return without_end(fmt::format(
             "  {} {} {:>6}  {} {:>8}  {:<18} {:>2}:{:<2}", letter_of(cell),
             left(series.metric.name, 14), row.mark > 0 ? fmt::format("{}", row.mark) : "",
             left(column_name(facts, column), 16), change_text(cell.judged->effect.value),
             interval_text(cell.judged->effect), row.cells[facts.columns[column].base].boots.size(),
             cell.boots.size())) +
         "\n";
}

}  // namespace

int cells_with(const ComparisonFacts& facts, stats::CellVerdict verdict) {
  int count = 0;
  for (const auto& series : facts.series)
    for (const auto& row : series.rows)
      for (const auto& cell : row.cells)
        count += cell.judged && cell.judged->verdict == verdict ? 1 : 0;
  return count;
}

std::string tally_text(const ComparisonFacts& facts) {
  using enum stats::CellVerdict;
  const int slow = cells_with(facts, slower), fast = cells_with(facts, faster);
  const int equal = cells_with(facts, same), open = cells_with(facts, undecided);
  const int all = slow + fast + equal + open;
  return fmt::format("{} slower, {} faster, {} the same, {} undecided, of {} cell{}", slow, fast,
                     equal, open, all, all == 1 ? "" : "s");
}

std::string verdicts_text(const ComparisonFacts& facts) {
  std::string lines, last_scenario;
  for (const auto& series : facts.series) {
    if (!facts.run.more_scenarios.empty() && series.scenario != last_scenario)
      lines += fmt::format("  {}\n", series.scenario);
    last_scenario = series.scenario;
    for (const auto& row : series.rows)
      for (std::size_t column = 0; column < row.cells.size(); ++column)
        if (row.cells[column].judged) lines += cell_line(facts, series, row, column);
  }
  if (lines.empty()) return {};
  return fmt::format("verdicts: {}\n  {:<16} {:>6}  {:<16} {:>8}  {:<18} boots\n{}",
                     tally_text(facts), "  metric", "mark", "kernel", "change", "95 % interval",
                     lines);
}

}  // namespace bisect_run::report
