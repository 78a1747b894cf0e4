#include "cli/printing.h"

#include <fmt/format.h>

#include "cli/execution.h"
#include "cli/search_space.h"
#include "cli/strategies.h"
#include "engine/retelling.h"
#include "model/try.h"
#include "report/bisect_report.h"
#include "report/compare_report.h"
#include "report/conditions.h"
#include "report/counter_blocks.h"
#include "report/reference.h"
#include "report/styles.h"
#include "report/totals.h"

namespace bisect_run::cli {
namespace {

constexpr std::size_t kRecentLines = 8;

report::RunFacts run_facts(const store::RunRecord& run, const History& history) {
  const auto& request = run.request;
  const auto& host = run.provenance;
  return {.id = run.id,
          .status = run.status,
          .live = run.live,
          .message = run.message,
          .repository = request.repository,
          .scenario = request.scenario,
          .mode = request.mode,
          .marks = request.marks,
          .build = request.build,
          .host_cpu = host.host_cpu,
          .host_cpus = host.host_cpus,
          .host_kernel = host.host_kernel,
          .qemu = host.qemu,
          .libvirt = host.libvirt,
          .compiler = host.compiler,
          .remedies = report::remedies_used(history),
          .clocks = report::clocks_used(history)};
}

/// The machine of the request; its accelerator is settled only by the first boot.
Machine machine_of(const store::RunRecord& run, const History& history) {
  Machine machine = run.request.machine;
  if (!history.boots.empty()) machine.accelerator = history.boots.front().boot.machine.accelerator;
  return machine;
}

Result<std::vector<std::string>> recent_lines(const store::Store& store, const std::string& id) {
  BR_TRY_ASSIGN(const auto journal, store.journal(id));
  std::vector<std::string> lines;
  for (auto i = journal.size() - std::min(journal.size(), kRecentLines); i < journal.size(); ++i)
    lines.push_back(
        fmt::format("{:8.0f} s  {}  {}", journal[i].at, journal[i].stage, journal[i].detail));
  return lines;
}

/// Why each step was made: the strategy played again, if its history can still be read.
void tell_steps(report::BisectFacts& facts, const RunRequest& request, const History& history) {
  const auto told = [&]() -> Status {
    BR_TRY_ASSIGN(const auto repository, git::Repository::open(request.repository));
    BR_TRY_ASSIGN(const auto space, search_space(repository, request));
    const auto strategy = make_strategy(space, request);
    facts.steps = engine::retell({.range = space.range,
                                  .history = history,
                                  .machine = facts.machine,
                                  .question = question_of(request),
                                  .untestable = request.untestable},
                                 *strategy);
    return {};
  }();
  if (!told) facts.untold = told.error().message;
}

Result<report::BisectFacts> bisect_facts(const store::Store& store, const store::RunRecord& run,
                                         bool with_steps) {
  BR_TRY_ASSIGN(const auto history, store.history(run.id));
  BR_TRY_ASSIGN(auto probes, store.probes(run.id));
  BR_TRY_ASSIGN(auto recent, recent_lines(store, run.id));
  const auto& request = run.request;
  auto facts = report::BisectFacts{.run = run_facts(run, history),
                                   .good = request.kernels.at(0),
                                   .bad = request.kernels.at(1),
                                   .find_fix = request.find_fix,
                                   .metric = {.name = request.metric},
                                   .mark = request.marks.empty() ? 0 : request.marks.front(),
                                   .machine = machine_of(run, history),
                                   .answer = run.answer,
                                   .probes = std::move(probes),
                                   .cost = report::cost_of(history),
                                   .host_state = report::host_state_of(history),
                                   .recent = std::move(recent),
                                   .limits = search_limits(request),
                                   .steps = {},
                                   .untold = {},
                                   .more_good = request.more_good,
                                   .untestable = request.untestable,
                                   .paths = request.paths,
                                   .first_parent = request.first_parent};
  if (with_steps) tell_steps(facts, request, history);
  return facts;
}

report::ComparisonFacts comparison_facts(const store::RunRecord& run, const History& history) {
  const auto& request = run.request;
  std::vector<report::Column> columns;
  Machine machine = machine_of(run, history);
  for (auto& placed : placed_kernels(request, machine))
    columns.push_back({.spec = std::move(placed.spec), .machine = std::move(placed.machine)});
  std::vector<std::string> only;
  if (!request.metric.empty()) only = {request.metric};
  return report::comparison_from(run_facts(run, history), std::move(columns), history, only);
}

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

Result<std::string> rendered(const store::Store& store, const store::RunRecord& run,
                             const Printing& printing) {
  if (run.request.kind == RunKind::bisect) {
    BR_TRY_ASSIGN(const auto facts, bisect_facts(store, run, printing.format == "show"));
    if (printing.format == "bisect-log") return report::bisect_log(facts);
    if (printing.format == "json") return report::bisect_json(facts);
    return printing.format == "show" ? report::show_text(facts) : report::bisect_text(facts);
  }
  if (printing.format == "bisect-log")
    return fail(ErrorKind::usage, fmt::format("run {} is no bisect ({}): it has no bisect log",
                                              run.id, to_string(run.request.kind)));
  BR_TRY_ASSIGN(const auto history, store.history(run.id));
  const auto facts = comparison_facts(run, history);
  if (printing.format == "json") return report::compare_json(facts);
  BR_TRY_ASSIGN(const auto text, comparison_text(facts, history, printing));
  const bool plain = !printing.against && printing.style == "table";  // which has a heading
  return plain ? text : report::style_heading(facts) + text;
}

}  // namespace

Printing printing_of(const Arguments& arguments, const Places& places) {
  return {.format = arguments.json ? "json" : arguments.format,
          .style = arguments.style,
          .against = arguments.against,
          .references = places.references()};
}

Status check(const Printing& printing) {
  BR_TRY(report::style_from(printing.style));
  if (printing.against) BR_TRY(report::load_reference(printing.references, *printing.against));
  return {};
}

Status print_run(const store::Store& store, const std::string& id, const Printing& printing) {
  BR_TRY_ASSIGN(const auto run, store.run(id));
  BR_TRY_ASSIGN(const auto text, rendered(store, run, printing));
  fmt::print("{}{}", text, text.ends_with('\n') ? "" : "\n");
  return {};
}

}  // namespace bisect_run::cli
