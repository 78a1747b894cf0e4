#include "cli/run_facts.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "cli/bisect_detail.h"
#include "cli/kernel_facts.h"
#include "model/try.h"
#include "report/conditions.h"

namespace bisect_run::cli {
namespace {

constexpr std::size_t kRecentLines = 8;

report::RunFacts run_facts(const store::RunRecord& run, const History& history) {
  const auto& request = run.request;
  const auto& host = run.provenance;
  report::RunFacts facts{.id = run.id,
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
                         .compiler = host.compiler,
                         .remedies = report::remedies_used(history),
                         .clocks = report::clocks_used(history),
                         .version = host.harness_version,
                         .agent_digest = host.agent_digest,
                         .scenario_digest = host.scenario_digest,
                         .scenario_text = host.scenario_text,
                         .started = utc_time(run.started_at)};
  for (const auto& more : request.more_scenarios)
    facts.more_scenarios.push_back({more.name, more.mode, more.digest});
  return facts;
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

stats::MatrixRule rule_of(const RunRequest& request) {
  const auto looks = stats::look_schedule(request.boots, request.most_boots).size();
  return {.min_effect = request.min_effect, .looks = static_cast<int>(looks)};
}

}  // namespace

std::string utc_time(double epoch_s) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(static_cast<std::time_t>(epoch_s)));
}

Result<History> reduced_history(const store::Store& store, const std::string& run) {
  return store.history(run, [](BootRecord& record) { report::reduce(record); });
}

Result<report::BisectFacts> bisect_facts(const store::Store& store, const store::RunRecord& run,
                                         Depth depth) {
  BR_TRY_ASSIGN(const auto history, reduced_history(store, run.id));
  BR_TRY_ASSIGN(auto probes, store.probes(run.id));
  BR_TRY_ASSIGN(auto recent, recent_lines(store, run.id));
  const auto& request = run.request;
  report::BisectFacts facts{.run = run_facts(run, history),
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
  facts.run.failures = failed_boots(history);
  facts.boots = boot_points(request, history);
  facts.levels = levels_of(facts, history);
  if (depth.kernels) {
    std::vector<KernelSpec> kernels;
    for (const auto& column : facts.levels->columns) kernels.push_back(column.spec);
    describe_kernels(facts.run, kernels, history);
  }
  if (depth.suspicion) add_order(facts, run, history);
  if (depth.people) facts.people = people_of(facts, request.repository);
  return facts;
}

report::ComparisonFacts comparison_facts(const store::RunRecord& run, const History& history,
                                         Depth depth) {
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
  auto facts = run_facts(run, history);
  facts.failures = failed_boots(history);
  if (depth.kernels) describe_kernels(facts, request.kernels, history);
  return report::comparison_from(std::move(facts), std::move(columns), history, only,
                                 rule_of(request));
}

}  // namespace bisect_run::cli
