#include "cli/execution.h"

#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/budget.h"
#include "cli/host_facts.h"
#include "cli/on_end.h"
#include "cli/one_step_run.h"
#include "cli/outlook_file.h"
#include "cli/printing.h"
#include "cli/run_facts.h"
#include "cli/search_space.h"
#include "cli/strategies.h"
#include "cli/workbench.h"
#include "engine/bisection.h"
#include "engine/comparison.h"
#include "engine/config_trap.h"
#include "model/try.h"
#include "model/variant.h"
#include "report/compare_table.h"
#include "report/numbers.h"

namespace bisect_run::cli {
namespace fs = std::filesystem;
namespace {

constexpr int kDefaultBoots = 3;

Status copy_into(const fs::path& directory, const Inputs& inputs, const Places& places) {
  std::error_code error;
  const auto copy = [&](const fs::path& from, const fs::path& name) {
    if (!error) fs::copy_file(from, directory / name, fs::copy_options::overwrite_existing, error);
  };
  fs::create_directories(directory, error);
  copy(places.agent, "bisect-agent");
  copy(inputs.scenario_file, inputs.request.scenario + ".yaml");
  for (std::size_t i = 0; i < inputs.more_files.size(); ++i)
    copy(inputs.more_files[i], inputs.more_scenarios[i].name + ".yaml");
  copy(inputs.recipe.file, "kernels.yaml");
  if (!error && fs::is_directory(places.remedies()))
    fs::copy(places.remedies(), directory / "remedies",
             fs::copy_options::recursive | fs::copy_options::overwrite_existing, error);
  if (!inputs.request.build.config.empty()) copy(inputs.request.build.config, kOwnConfig);
  if (!error) return {};
  return fail(ErrorKind::infra, fmt::format("{}: the run's own copies cannot be written: {}",
                                            directory.string(), error.message()));
}

/// The settings of a run, defaults included: printed at the start of every run.
std::string settings(const Inputs& inputs, const std::string& id) {
  const auto& request = inputs.request;
  std::vector<std::string> kernels;
  for (const auto& kernel : request.kernels)
    kernels.push_back(fmt::format("{} ({}, variant {})", kernel.text, kernel.commit.abbreviated(),
                                  kernel.variant));
  auto text = report::wrapped(fmt::format("run {}: {}", id, fmt::join(kernels, ", ")), 2) + "\n";
  text +=
      fmt::format("  repository {}{}\n", request.repository,
                  inputs.repository_reason.empty() ? "" : " (" + inputs.repository_reason + ")");
  text += fmt::format("  scenario {}, mode {}", request.scenario, request.mode);
  for (const auto& each : request.more_scenarios)
    text += fmt::format("; {}, mode {}", each.name, each.mode);
  if (!request.metric.empty()) text += fmt::format(", metric {}", request.metric);
  if (!request.marks.empty()) text += fmt::format(", marks {}", fmt::join(request.marks, ","));
  text += fmt::format("\n  machine {}", describe(request.machine));
  if (request.cpus.size() > 1) text += fmt::format(", vCPUs {}", fmt::join(request.cpus, ","));
  if (request.kind == RunKind::compare)
    text += fmt::format(
        "\n  boots {} of each kernel{}", request.boots,
        request.most_boots > request.boots
            ? fmt::format(", up to {} where they leave a cell undecided", request.most_boots)
            : "");
  if (!request.build.config.empty()) text += "\n  config " + request.build.config;
  if (!request.build.cc.empty()) text += "\n  compiler " + request.build.cc;
  if (!request.build.make_args.empty())
    text += fmt::format("\n  make {}", fmt::join(request.build.make_args, " "));
  const auto limits = search_limits(request);
  if (!limits.empty()) text += fmt::format("\n  search {}", fmt::join(limits, ", "));
  return text;
}

/// Whether something would be lost if the run could not be resumed.
bool has_facts(const store::Store& store, const std::string& id) {
  const auto history = store.history(id);
  return !history || !history->builds.empty() || !history->boots.empty();
}

RunStatus status_after(const Error& error, bool facts) {
  switch (error.kind) {
    case ErrorKind::interrupted:
      return RunStatus::interrupted;
    case ErrorKind::infra:
    case ErrorKind::bug:
      return RunStatus::failed;
    case ErrorKind::usage:  // say, a source tree that another controller works in
      return facts ? RunStatus::failed : RunStatus::refused;
    case ErrorKind::skip_build:
    case ErrorKind::skip_boot:
    case ErrorKind::skip_guest:
      return RunStatus::refused;
  }
  return RunStatus::failed;
}

std::string unit_of(const RunRequest& request) {
  return request.metric.empty() ? "" : request.metric + "/s";
}

Result<RunStatus> carry_out_bisect(const Execution& execution, Workbench& bench) {
  const auto& request = execution.inputs.request;
  const auto& good = request.kernels.at(0);
  BR_TRY_ASSIGN(auto space, search_space(execution.inputs.repository, request));
  auto strategy = make_strategy(space, request);
  BR_TRY_ASSIGN(const auto deadline,
                begin_session(execution.store, execution.run.id, request.budget_s, bench.prober()));
  const engine::Allowance allowance{.most_boots = request.boots, .deadline = deadline};
  BR_TRY_ASSIGN(const auto machine, bench.settle(request.machine, good));
  engine::Bisection bisection({.range = space.range,
                               .variant = good.variant,
                               .scenario = execution.inputs.scenario,
                               .machine = machine,
                               .question = question_of(request),
                               .layouts = request.layouts,
                               .untestable = request.untestable,
                               .allowance = allowance,
                               .budget = duration(request.budget_s),
                               .prebuild = static_cast<std::size_t>(request.prebuild)},
                              std::move(strategy), bench.prober());
  BR_TRY_ASSIGN(auto findings, bisection.run());
  BR_TRY(bench.prober().ports().recorder.journal(kSearchedStage, ""));
  if (findings.out_of_time)
    findings.answer.reason +=
        fmt::format("; `bisect-run resume {} --budget TIME` goes on with more", execution.run.id);
  if (findings.answer.kind == Answer::Kind::commit) {
    const auto equivalent = equivalent_variant(execution.inputs.recipe, good.variant);
    BR_TRY_ASSIGN(findings.answer.config_change,
                  engine::examine_configuration({.range = space.range,
                                                 .variant = good.variant,
                                                 .equivalent = equivalent,
                                                 .scenario = execution.inputs.scenario,
                                                 .machine = machine,
                                                 .question = question_of(request),
                                                 .allowance = allowance},
                                                findings.answer.commits.front(), bench.prober()));
  }
  BR_TRY(execution.store.save_probes(execution.run.id, findings.probes));
  BR_TRY(execution.store.save_answer(execution.run.id, findings.answer));
  return findings.status;
}

Result<RunStatus> carry_out_comparison(const Execution& execution, Workbench& bench) {
  const auto& request = execution.inputs.request;
  BR_TRY_ASSIGN(const auto machine, bench.settle(request.machine, request.kernels.front()));
  engine::ComparisonSetup setup{.cells = {},
                                .scenarios = {execution.inputs.scenario},
                                .boots = request.boots > 0 ? request.boots : kDefaultBoots,
                                .most_boots = request.most_boots,
                                .metric = request.metric,
                                .rule = rule_of(request)};
  const auto& more = execution.inputs.more_scenarios;
  setup.scenarios.insert(setup.scenarios.end(), more.begin(), more.end());
  for (const auto& placed : placed_kernels(request, machine)) {
    engine::Cell cell{placed.spec, placed.machine};
    if (placed.spec.machine) {
      BR_TRY_ASSIGN(cell.machine, bench.settle(placed.machine, placed.spec));
    }
    setup.cells.push_back(std::move(cell));
  }
  BR_TRY(engine::run_comparison(setup, bench.prober()));
  return RunStatus::answered;
}

Result<RunStatus> carry_out(Execution& execution, const Context& context, Progress& progress) {
  BR_TRY_ASSIGN(auto history, execution.store.history(execution.run.id));
  progress.on_assessed([&](const std::vector<Probe>& probes) {
    // A view that can be made again: a fault here shows at the next fact that is written.
    static_cast<void>(execution.store.save_probes(execution.run.id, probes));
  });
  progress.on_outlook([&execution](double builds, double boots) {
    write_outlook(execution.run.directory, {builds, boots});
  });
  BR_TRY_ASSIGN(auto bench, Workbench::open({.inputs = execution.inputs,
                                             .places = context.places,
                                             .store = execution.store,
                                             .run = execution.run.id,
                                             .started_at = execution.run.started_at,
                                             .run_directory = execution.run.directory,
                                             .progress = progress,
                                             .stop = context.stop},
                                            std::move(history)));
  switch (execution.inputs.request.kind) {
    case RunKind::bisect:
      return carry_out_bisect(execution, *bench);
    case RunKind::calibrate:
      return carry_out_calibration(execution, *bench);
    case RunKind::judge:
      return carry_out_judgement(execution, *bench);
    case RunKind::compare:
    case RunKind::scenario:
      return carry_out_comparison(execution, *bench);
  }
  return fail(ErrorKind::bug, "an unknown kind of run");
}

void warn_of_one_cpu(const Inputs& inputs, Progress& progress) {
  if (!inputs.scenario.wait_bound) return;
  for (const auto& placed : placed_kernels(inputs.request, inputs.request.machine))
    if (placed.machine.cpus == 1)
      return progress.note(
          "one vCPU hides grace periods before about 6.0: what this scenario measures "
          "may not show; two vCPUs are the default");
}

void end(const Execution& execution, int exit_code, Progress& progress) {
  run_on_end(execution.inputs.request.on_end, execution.store, execution.run.id,
             execution.run.directory, exit_code, progress);
}

Result<bool> has_regression(const store::Store& store, const std::string& id) {
  BR_TRY_ASSIGN(const auto run, store.run(id));
  BR_TRY_ASSIGN(const auto history, reduced_history(store, id));
  return report::cells_with(comparison_facts(run, history), stats::CellVerdict::slower) > 0;
}

}  // namespace

engine::Question question_of(const RunRequest& request) {
  return {.metric = request.metric,
          .mark = request.marks.empty() ? 0 : request.marks.front(),
          .higher_is_better = true,
          .find_fix = request.find_fix};
}

fs::path run_directory(const Places& places, const std::string& id) {
  return places.results / "runs" / id;
}

Result<StoredRun> begin_run(store::Store& store, const Inputs& inputs, const Places& places) {
  BR_TRY_ASSIGN(const auto provenance, gather_provenance(inputs.scenario, inputs.scenario_file,
                                                         inputs.recipe.toolchain.cc, places));
  BR_TRY_ASSIGN(auto id, store.begin_run(inputs.request, provenance));
  StoredRun run{id, run_directory(places, id), 0};
  BR_TRY(copy_into(run.directory, inputs, places));
  BR_TRY_ASSIGN(const auto record, store.run(id));
  run.started_at = record.started_at;
  return run;
}

Result<int> execute(Execution execution, const Context& context) {
  const auto id = execution.run.id;
  Progress progress(Progress::style_for(execution.quiet), unit_of(execution.inputs.request));
  progress.say(settings(execution.inputs, id));
  warn_of_one_cpu(execution.inputs, progress);
  const auto status = carry_out(execution, context, progress);
  progress.clear();
  if (!status) {
    static_cast<void>(execution.store.set_status(
        id, status_after(status.error(), has_facts(execution.store, id)), status.error().message));
    auto error = status.error();
    if (error.kind != ErrorKind::interrupted) end(execution, exit_code(error.kind), progress);
    if (error.kind == ErrorKind::infra || error.kind == ErrorKind::interrupted)
      error.message += fmt::format("; nothing is lost: bisect-run resume {}", id);
    return std::unexpected(std::move(error));
  }
  BR_TRY(execution.store.set_status(id, *status));
  BR_TRY(print_run(execution.store, id, execution.printing));
  int code = *status == RunStatus::answered ? kAnswered : kNoSingleAnswer;
  if (execution.inputs.request.fail_on_regression) {
    BR_TRY_ASSIGN(const bool slower, has_regression(execution.store, id));
    if (slower) code = kNoSingleAnswer;
  }
  end(execution, code, progress);
  return code;
}

}  // namespace bisect_run::cli
