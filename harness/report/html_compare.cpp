#include <fmt/format.h>

#include "report/columns.h"
#include "report/command.h"
#include "report/compare_report.h"
#include "report/compare_table.h"
#include "report/html_parts.h"
#include "report/numbers.h"

namespace bisect_run::report {
namespace {

std::string interval_words(const stats::JudgedCell& judged) {
  if (!judged.effect.interval) return {};
  return fmt::format("{} to {}", change_text(judged.effect.interval->low),
                     change_text(judged.effect.interval->high));
}

/// Value, and below it the change, its interval and the verdict.
std::string cell_html(const Cell& cell) {
  if (cell.boots.empty() && cell.not_supported) return "not supported";
  auto html = escaped(value_text(centre(cell)));
  if (!cell.judged) return html + fmt::format("<small>{} boots</small>", cell.boots.size());
  const auto word = stats::to_string(cell.judged->verdict);
  return html + fmt::format("<span class={}> {}</span><small>{}</small><small>{}, {} boots</small>",
                            word, change_text(cell.judged->effect.value),
                            interval_words(*cell.judged), word, cell.boots.size());
}

std::string series_html(const ComparisonFacts& facts, const Series& series) {
  std::vector<std::string> headings{"mark"};
  for (const auto& column : facts.columns)
    headings.push_back(kernel_name(column.spec) + " " + axis_name(column));
  HtmlTable table(headings, std::vector<bool>(headings.size(), true));
  for (const auto& row : series.rows) {
    std::vector<std::string> cells{row.mark > 0 ? fmt::format("{}", row.mark) : ""};
    for (const auto& cell : row.cells) cells.push_back(cell_html(cell));
    table.html_row(cells);
  }
  const auto name = facts.run.more_scenarios.empty() ? series.metric.name
                                                     : series.scenario + ": " + series.metric.name;
  return element("h3", name + ", " + unit_text(series.metric)) + table.html();
}

std::string columns_html(const ComparisonFacts& facts) {
  HtmlTable table({"kernel", "commit", "variant", "machine", "boots", ""},
                  {false, false, false, false, true, false});
  for (const auto& column : facts.columns)
    table.row({kernel_name(column.spec), column.spec.commit.abbreviated(), column.spec.variant,
               describe(column.machine), fmt::format("{}", column.boots),
               column.same_as
                   ? fmt::format("the same machine code as column {}", *column.same_as + 1)
                   : column.reason});
  return heading("Kernels") + table.html();
}

std::string called_html(const ComparisonFacts& facts) {
  HtmlTable table({"verdict", "metric", "mark", "kernel", "change", "95 % interval"},
                  {false, false, true, false, true, true});
  for (const auto& series : facts.series)
    for (const auto& row : series.rows)
      for (std::size_t i = 0; i < row.cells.size(); ++i) {
        const auto& judged = row.cells[i].judged;
        if (!judged || (judged->verdict != stats::CellVerdict::slower &&
                        judged->verdict != stats::CellVerdict::faster))
          continue;
        const bool slower = judged->verdict == stats::CellVerdict::slower;
        table.row({std::string(stats::to_string(judged->verdict)), series.metric.name,
                   row.mark > 0 ? fmt::format("{}", row.mark) : "",
                   kernel_name(facts.columns[i].spec) + " " + axis_name(facts.columns[i]),
                   change_text(judged->effect.value), interval_words(*judged)},
                  slower ? "bad" : "good");
      }
  return table.empty() ? std::string{} : table.html();
}

}  // namespace

std::string comparison_tables(const ComparisonFacts& facts) {
  std::string html;
  for (const auto& series : facts.series) html += series_html(facts, series);
  return html + paragraph(fmt::format(
                    "Changes are against the first column of the same machine. Faster and slower "
                    "are called at an error of {} % for the whole table (Welch on logarithms, "
                    "Holm); less than {} % is no difference.",
                    trimmed(facts.rule.error * 100, 2), trimmed(facts.rule.min_effect * 100, 2)));
}

std::string html_text(const ComparisonFacts& facts, const PageData& data) {
  RunFacts run = facts.run;
  run.repository.clear();
  const auto title = fmt::format("{}: {} kernels side by side", run.scenario, facts.columns.size());
  std::string body = element("h1", title) + "<div class=answer>\n<p class=commit>" +
                     escaped(tally_text(facts)) + "</p>\n</div>\n";
  if (!run.message.empty()) body += paragraph(run.message);
  body += called_html(facts);
  body += paragraph("To repeat it, in a kernel tree that has these commits:") +
          preformatted(compare_command(run, facts));
  body += figures(data) + heading("Numbers") + comparison_tables(facts) + columns_html(facts);
  body += downloads(run, data) + provenance(facts.run);
  return page(title, body, facts.run);
}

}  // namespace bisect_run::report
