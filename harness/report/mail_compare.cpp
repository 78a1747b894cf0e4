#include <fmt/format.h>

#include "report/columns.h"
#include "report/command.h"
#include "report/compare_table.h"
#include "report/mail.h"
#include "report/mail_parts.h"
#include "report/numbers.h"

namespace bisect_run::report {
namespace {

/// The clearest cell of a verdict: the one with the largest change.
std::string strongest(const ComparisonFacts& facts, stats::CellVerdict verdict) {
  const Cell* best = nullptr;
  std::string words;
  for (const auto& series : facts.series)
    for (const auto& row : series.rows)
      for (std::size_t i = 0; i < row.cells.size(); ++i) {
        const Cell& cell = row.cells[i];
        if (!cell.judged || cell.judged->verdict != verdict) continue;
        if (best && std::abs(best->judged->effect.value) >= std::abs(cell.judged->effect.value))
          continue;
        best = &cell;
        const auto mark = row.mark > 0 ? fmt::format(" at {}", row.mark) : "";
        words = fmt::format("{}@{}: {}{} {} ({})", kernel_name(facts.columns[i].spec),
                            facts.columns[i].spec.variant, series.metric.name, mark,
                            change_text(cell.judged->effect.value), stats::to_string(verdict));
      }
  return words;
}

std::string answer(const ComparisonFacts& facts) {
  std::string text = mail_prose(fmt::format("{}: {} kernels side by side: {}", facts.run.scenario,
                                            facts.columns.size(), tally_text(facts)));
  for (const auto verdict : {stats::CellVerdict::slower, stats::CellVerdict::faster})
    if (const auto words = strongest(facts, verdict); !words.empty())
      text += mail_prose("Most of all " + words);
  return text + mail_prose(fmt::format(
                    "Called at an error of {} % for the whole table; smaller than {} % is no "
                    "difference; {} boots.",
                    trimmed(facts.rule.error * 100, 2), trimmed(facts.rule.min_effect * 100, 2),
                    facts.cost.boots));
}

std::string repeat_text(const ComparisonFacts& facts) {
  RunFacts run = facts.run;
  run.repository.clear();
  return fmt::format("\nTo repeat it, in a kernel tree that has these commits:\n  {}\n",
                     compare_command(run, facts));
}

std::string not_measured(const ComparisonFacts& facts) {
  std::string text;
  for (const auto& column : facts.columns)
    if (column.boots == 0 && !column.reason.empty())
      text += mail_line(kernel_name(column.spec, 12), column.reason);
  return text.empty() ? text : "\nNot measured, and why:\n\n" + text;
}

}  // namespace

std::string mail_text(const ComparisonFacts& facts) {
  std::string text = answer(facts) + repeat_text(facts) + "\nMeasured:\n\n";
  text += mail_line("scenario", facts.run.scenario + ", mode " + facts.run.mode);
  for (const auto& more : facts.run.more_scenarios)
    text += mail_line("", more.name + ", mode " + more.mode);
  if (!facts.columns.empty()) text += measured_on(facts.run, facts.columns.front().machine);
  text += "\n" + mail_safe(legend(facts.columns)) + "\n" + letters_text(facts);
  for (const auto& series : facts.series) text += "\n" + mail_safe(table_text(facts, series));
  const auto verdicts = verdicts_text(facts);
  if (!verdicts.empty()) text += "\n" + mail_safe(verdicts);
  return text + not_measured(facts);
}

}  // namespace bisect_run::report
