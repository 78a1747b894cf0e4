#include "cli/printing.h"

#include <fmt/format.h>

#include "cli/html_page.h"
#include "cli/outlook_file.h"
#include "cli/run_facts.h"
#include "model/try.h"
#include "report/bisect_report.h"
#include "report/compare_report.h"
#include "report/conditions.h"
#include "report/counter_blocks.h"
#include "report/mail.h"
#include "report/reference.h"
#include "report/samples_csv.h"
#include "report/styles.h"
#include "report/totals.h"

namespace bisect_run::cli {
namespace {

std::vector<BootRecord> boots_of(const report::Column& column, const History& history) {
  std::vector<BootRecord> boots;
  for (const auto& record : history.boots)
    if (record.boot.outcome == BootOutcome::complete && record.spec == column.spec &&
        record.boot.machine == column.machine)
      boots.push_back(record);
  return boots;
}

/// One column's loops or counters in the shape of their thread.
std::string column_text(const std::vector<BootRecord>& boots, report::Style style) {
  if (style == report::Style::dumazet) {
    std::string text;
    for (const auto& block : report::counter_blocks(boots))
      text += report::dumazet_style(block) + "\n";
    return text;
  }
  std::vector<std::vector<report::LoopTotal>> totals;
  for (const auto& record : boots) totals.push_back(report::totals_of(record.samples));
  const auto median = report::median_totals(totals);
  return style == report::Style::greear ? report::greear_style(median)
                                        : report::bligh_style(median);
}

std::string columns_text(const report::ComparisonFacts& facts, const History& history,
                         report::Style style) {
  std::string text;
  for (const auto& column : facts.columns) {
    if (facts.columns.size() > 1)
      text += fmt::format("{}, {}:\n\n", column.spec.text, describe(column.machine));
    text += column_text(boots_of(column, history), style) + "\n";
  }
  return text;
}

Result<std::string> comparison_text(const report::ComparisonFacts& facts, const History& history,
                                    const Printing& printing) {
  if (printing.against) {
    BR_TRY_ASSIGN(const auto reference,
                  report::load_reference(printing.references, *printing.against));
    return report::against_text(facts, reference);
  }
  BR_TRY_ASSIGN(const auto style, report::style_from(printing.style));
  switch (style) {
    case report::Style::table:
      return report::compare_text(facts);
    case report::Style::tinoco:
      return report::tinoco_style(facts);
    case report::Style::mmtests:
      return report::mmtests_style(facts);
    case report::Style::greear:
    case report::Style::bligh:
    case report::Style::dumazet:
      return columns_text(facts, history, style);
  }
  return fail(ErrorKind::bug, "an unknown style");
}

bool needs_samples(const Printing& printing) {
  return !printing.against &&
         (printing.style == "greear" || printing.style == "bligh" || printing.style == "dumazet");
}

/// Of a run that is going on: what its controller expects to need still.
std::optional<double> seconds_left(const store::Store& store, const store::RunRecord& run,
                                   const Printing& printing) {
  const auto work = read_outlook(printing.runs / run.id);
  if (!work) return std::nullopt;
  const auto history = store.history(run.id, [](BootRecord& record) { record.samples = {}; });
  return history ? expected_seconds(*work, *history) : std::nullopt;
}

/// Kernels, suspicion, people: what the format shows.
Depth depth_of(const Printing& printing) {
  return {.kernels = printing.format == "mail" || printing.format == "html",
          .all_kernels = printing.format == "json",
          .suspicion = printing.format == "html",
          .people = printing.cc,
          .steps = printing.format == "show",
          .cache = printing.cache};
}

Result<std::string> bisect_rendered(const store::Store& store, const store::RunRecord& run,
                                    const Printing& printing) {
  BR_TRY_ASSIGN(auto facts, bisect_facts(store, run, depth_of(printing)));
  if (run.live && !printing.runs.empty()) facts.run.left_s = seconds_left(store, run, printing);
  if (printing.format == "bisect-log") return report::bisect_log(facts);
  if (printing.format == "json") return report::bisect_json(facts);
  if (printing.format == "mail") return report::mail_text(facts);
  if (printing.format == "html") return html_page(store, facts);
  return printing.format == "show" ? report::show_text(facts) : report::bisect_text(facts);
}

}  // namespace

Result<std::string> report_of(const store::Store& store, const store::RunRecord& run,
                              const Printing& printing) {
  if (run.request.kind == RunKind::bisect) return bisect_rendered(store, run, printing);
  if (printing.format == "bisect-log")
    return fail(ErrorKind::usage, fmt::format("run {} is no bisect ({}): it has no bisect log",
                                              run.id, to_string(run.request.kind)));
  const bool text = printing.format == "text" || printing.format == "show";
  BR_TRY_ASSIGN(const auto history, text&& needs_samples(printing)
                                        ? store.history(run.id)
                                        : reduced_history(store, run.id));
  auto facts = comparison_facts(run, history, depth_of(printing));
  if (run.live && !printing.runs.empty()) facts.run.left_s = seconds_left(store, run, printing);
  if (printing.format == "json") return report::compare_json(facts);
  if (printing.format == "mail") return report::mail_text(facts);
  if (printing.format == "html") return html_page(store, facts);
  BR_TRY_ASSIGN(const auto shape, comparison_text(facts, history, printing));
  const bool plain = !printing.against && printing.style == "table";  // which has a heading
  return plain ? shape : report::style_heading(facts) + shape;
}

namespace {

/// Streams: a run may hold more samples than memory.
Status print_samples(const store::Store& store, const store::RunRecord& run) {
  const auto facts = comparison_facts(run, {}).run;
  fmt::print("{}", report::samples_header());
  BR_TRY(store.history(run.id, [&](BootRecord& record) {
    std::string lines;
    report::append_samples(lines, facts, record);
    fmt::print("{}", lines);
    record.samples = {};
  }));
  return {};
}

}  // namespace

Printing printing_of(const Arguments& arguments, const Places& places) {
  return {.format = arguments.json ? "json" : arguments.format,
          .cc = arguments.people,
          .style = arguments.style,
          .against = arguments.against,
          .references = places.references(),
          .runs = places.results / "runs",
          .cache = places.cache};
}

Status check(const Printing& printing) {
  BR_TRY(report::style_from(printing.style));
  if (printing.against) BR_TRY(report::load_reference(printing.references, *printing.against));
  return {};
}

Status print_run(const store::Store& store, const std::string& id, const Printing& printing) {
  BR_TRY_ASSIGN(const auto run, store.run(id));
  if (printing.format == "csv") return print_samples(store, run);
  BR_TRY_ASSIGN(const auto text, report_of(store, run, printing));
  fmt::print("{}{}", text, text.ends_with('\n') ? "" : "\n");
  return {};
}

}  // namespace bisect_run::cli
