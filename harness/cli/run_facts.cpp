#include "cli/run_facts.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "cli/bisect_detail.h"
#include "cli/execution.h"
#include "cli/journal_words.h"
#include "cli/kernel_facts.h"
#include "cli/past_reads.h"
#include "cli/search_space.h"
#include "cli/strategies.h"
#include "engine/retelling.h"
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
                         .build = request.build,
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
    lines.push_back(fmt::format("{:8.0f} s  {}  {}", journal[i].at, journal[i].stage,
                                short_detail(journal[i].detail)));
  return lines;
}

/// Why each step was made: the strategy played again, if its history can still be read.
void tell_steps(report::BisectFacts& facts, const RunRequest& request, const History& history,
                const std::filesystem::path& cache) {
  const auto told = [&]() -> Status {
    BR_TRY_ASSIGN(const auto repository, git::Repository::open(request.repository));
    BR_TRY_ASSIGN(const auto space, search_space(repository, request));
    const auto strategy = make_strategy(space, request);
    const engine::NodeIndex index(space.range, request.kernels.at(0).variant, request.layouts);
    facts.steps = engine::retell({.range = space.range,
                                  .variant = request.kernels.at(0).variant,
                                  .layouts = request.layouts,
                                  .history = history,
                                  .machine = facts.machine,
                                  .question = question_of(request),
                                  .untestable = request.untestable,
                                  .prebuild = static_cast<std::size_t>(request.prebuild),
                                  .unlikely = past_reads(repository, space.range, index, cache)},
                                 *strategy);
    return {};
  }();
  if (!told) facts.untold = told.error().message;
}

}  // namespace

stats::MatrixRule rule_of(const RunRequest& request) {
  stats::MatrixRule rule;
  if (request.min_effect > 0) rule.min_effect = request.min_effect;
  rule.looks = static_cast<int>(stats::look_schedule(request.boots, request.most_boots).size());
  return rule;
}

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
                            .host_state = report::host_state_of(history),
                            .limits = search_limits(request),
                            .more_good = request.more_good,
                            .untestable = request.untestable,
                            .paths = request.paths,
                            .first_parent = request.first_parent,
                            .recent = std::move(recent)};
  facts.run.failures = failed_boots(history);
  facts.boots = boot_points(request, history);
  facts.levels = levels_of(facts, history);
  if (depth.kernels) {
    std::vector<KernelSpec> kernels;
    for (const auto& column : facts.levels->columns) kernels.push_back(column.spec);
    describe_kernels(facts.run, kernels, history);
  }
  if (depth.all_kernels) describe_kernels(facts.run, built_kernels(history), history);
  if (depth.steps) tell_steps(facts, request, history, depth.cache);
  add_order(facts, run, history, depth.suspicion, depth.cache);
  if (depth.people) facts.people = people_of(facts, request.repository);
  return facts;
}

report::ComparisonFacts comparison_facts(const store::RunRecord& run, const History& history,
                                         Depth depth) {
  const auto& request = run.request;
  std::vector<report::Column> columns;
  for (auto& placed : placed_kernels(request, machine_of(run, history)))
    columns.push_back({.spec = std::move(placed.spec), .machine = std::move(placed.machine)});
  std::vector<std::string> only;
  if (!request.metric.empty()) only = {request.metric};
  auto facts = run_facts(run, history);
  facts.failures = failed_boots(history);
  if (depth.kernels || depth.all_kernels) describe_kernels(facts, request.kernels, history);
  return report::comparison_from(std::move(facts), std::move(columns), history, only,
                                 rule_of(request));
}

}  // namespace bisect_run::cli
