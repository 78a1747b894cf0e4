#include "cli/printing.h"

#include <fmt/format.h>

#include "model/try.h"
#include "report/bisect_report.h"
#include "report/compare_report.h"

namespace bisect_run::cli {
namespace {

constexpr std::size_t kRecentLines = 8;

report::RunFacts run_facts(const store::RunRecord& run) {
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
          .host_cpu = host.host_cpu,
          .host_cpus = host.host_cpus,
          .host_kernel = host.host_kernel,
          .qemu = host.qemu,
          .libvirt = host.libvirt,
          .compiler = host.compiler};
}

/// The machine as the boots had it: its accelerator is settled only by the first one.
Machine machine_of(const store::RunRecord& run, const History& history) {
  return history.boots.empty() ? run.request.machine : history.boots.front().boot.machine;
}

Result<std::vector<std::string>> recent_lines(const store::Store& store, const std::string& id) {
  BR_TRY_ASSIGN(const auto journal, store.journal(id));
  std::vector<std::string> lines;
  for (auto i = journal.size() - std::min(journal.size(), kRecentLines); i < journal.size(); ++i)
    lines.push_back(
        fmt::format("{:8.0f} s  {}  {}", journal[i].at, journal[i].stage, journal[i].detail));
  return lines;
}

Result<report::BisectFacts> bisect_facts(const store::Store& store, const store::RunRecord& run) {
  BR_TRY_ASSIGN(const auto history, store.history(run.id));
  BR_TRY_ASSIGN(auto probes, store.probes(run.id));
  BR_TRY_ASSIGN(auto recent, recent_lines(store, run.id));
  const auto& request = run.request;
  return report::BisectFacts{.run = run_facts(run),
                             .good = request.kernels.at(0),
                             .bad = request.kernels.at(1),
                             .find_fix = request.find_fix,
                             .metric = {.name = request.metric},
                             .mark = request.marks.empty() ? 0 : request.marks.front(),
                             .machine = machine_of(run, history),
                             .answer = run.answer,
                             .probes = std::move(probes),
                             .cost = report::cost_of(history),
                             .recent = std::move(recent)};
}

Result<report::ComparisonFacts> comparison_facts(const store::Store& store,
                                                 const store::RunRecord& run) {
  BR_TRY_ASSIGN(const auto history, store.history(run.id));
  const auto& request = run.request;
  std::vector<report::Column> columns;
  for (const auto cpus : request.cpus) {
    for (const auto& kernel : request.kernels) {
      Machine machine = machine_of(run, history);
      machine.cpus = cpus;
      columns.push_back({.spec = kernel, .machine = std::move(machine)});
    }
  }
  std::vector<std::string> only;
  if (!request.metric.empty()) only = {request.metric};
  return report::comparison_from(run_facts(run), std::move(columns), history, only);
}

Result<std::string> rendered(const store::Store& store, const store::RunRecord& run,
                             const std::string& format) {
  if (run.request.kind == RunKind::bisect) {
    BR_TRY_ASSIGN(const auto facts, bisect_facts(store, run));
    if (format == "json") return report::bisect_json(facts);
    return format == "show" ? report::show_text(facts) : report::bisect_text(facts);
  }
  BR_TRY_ASSIGN(const auto facts, comparison_facts(store, run));
  return format == "json" ? report::compare_json(facts) : report::compare_text(facts);
}

}  // namespace

Status print_run(const store::Store& store, const std::string& id, const std::string& format) {
  BR_TRY_ASSIGN(const auto run, store.run(id));
  BR_TRY_ASSIGN(const auto text, rendered(store, run, format));
  fmt::print("{}{}", text, text.ends_with('\n') ? "" : "\n");
  return {};
}

}  // namespace bisect_run::cli
