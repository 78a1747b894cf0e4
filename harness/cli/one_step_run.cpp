#include "cli/one_step_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "bisect/one_step.h"
#include "cli/host_facts.h"
#include "cli/judge_file.h"
#include "engine/bisection.h"
#include "engine/boot_value.h"
#include "kernel/files.h"
#include "model/try.h"

namespace bisect_run::cli {
namespace {

double min_effect_of(const RunRequest& request) {
  return request.min_effect > 0 ? std::log1p(request.min_effect) : 0.02;
}

/// Kernels that are the same bits started the same way.
std::string identity_of(const Image& image) {
  std::string identity = image.signature;
  for (const auto& argument : image.boot_args) identity += " " + argument;
  return identity;
}

std::string identity_in(const History& history, const KernelSpec& spec) {
  for (const auto& build : history.builds)
    if (build.image && build.spec == spec) return identity_of(*build.image);
  return {};
}

/// The boots that voted, in the order of time, and both levels made from them.
void add_boots(JudgeFile& judge, const History& history, const RunRequest& request) {
  const auto question = question_of(request);
  double squares = 0, freedom = 0;
  for (const bool bad : {false, true}) {
    auto& end = bad ? judge.bad : judge.good;
    const auto& spec = request.kernels.at(bad ? 1 : 0);
    end.commit = spec.commit;
    end.text = spec.text;
    end.identity = identity_in(history, spec);
    std::vector<double> logs;
    for (const auto& record : history.boots) {
      if (record.boot.outcome != BootOutcome::complete || !(record.spec == spec)) continue;
      const auto value = engine::boot_value(record.samples, question.metric, question.mark);
      if (!value) continue;
      logs.push_back(std::log(*value));
      judge.boots.push_back(
          {.bad = bad, .y = engine::to_y(question, *value), .time_s = record.ended_at});
    }
    double mean = 0;
    for (const double y : logs) mean += y / static_cast<double>(logs.size());
    for (const double y : logs) squares += (y - mean) * (y - mean);
    freedom += static_cast<double>(logs.size()) - 1;
    end.level = std::exp(mean);
    end.boots = static_cast<int>(logs.size());
  }
  judge.sigma = freedom > 0 ? std::sqrt(squares / freedom) : 0;
  std::ranges::stable_sort(judge.boots, {}, &bisect::KnownBoot::time_s);
}

JudgeFile judge_file_from(const Execution& execution, const History& history,
                          const store::Provenance& made) {
  const auto& request = execution.inputs.request;
  JudgeFile judge;
  judge.metric = request.metric;
  judge.marks = request.marks;
  judge.find_fix = request.find_fix;
  judge.min_effect = min_effect_of(request);
  judge.scenario = request.scenario;
  judge.scenario_digest = made.scenario_digest;
  judge.mode = request.mode;
  judge.variant = request.kernels.at(0).variant;
  judge.machine = history.boots.back().boot.machine;
  judge.host = made.host;
  judge.agent = made.agent_digest;
  judge.recipe = file_digest(execution.inputs.recipe.file);
  add_boots(judge, history, request);
  return judge;
}

Commit end_commit(const KernelSpec& spec) {
  return {.oid = spec.commit, .subject = spec.text};
}

Status save(const Execution& execution, const engine::Findings& findings) {
  BR_TRY(execution.store.save_probes(execution.run.id, findings.probes));
  return execution.store.save_answer(execution.run.id, findings.answer);
}

/// A subject that is the very kernel of an end needs no boot.
std::optional<engine::Findings> same_kernel(const JudgeFile& judge, const Image& image,
                                            const RunRequest& request) {
  const bool is_good = identity_of(image) == judge.good.identity;
  if (!is_good && identity_of(image) != judge.bad.identity) return std::nullopt;
  engine::Findings findings;
  findings.status = RunStatus::answered;
  findings.answer.kind = Answer::Kind::commit;
  findings.answer.commits = {end_commit(request.kernels.at(is_good ? 2 : kSubjectKernel))};
  findings.answer.reason = fmt::format("the same kernel as {}", is_good ? "GOOD" : "BAD");
  findings.answer.confidence = 1;
  return findings;
}

Result<engine::Findings> judged(const Execution& execution, Workbench& bench,
                                const JudgeFile& judge) {
  const auto& request = execution.inputs.request;
  const auto& subject = request.kernels.at(kSubjectKernel);
  BR_TRY_ASSIGN(const auto machine, bench.settle(request.machine, subject));
  BR_TRY_ASSIGN(const Image* image, bench.prober().image(subject));
  if (image)
    if (auto findings = same_kernel(judge, *image, request)) return std::move(*findings);
  auto range = bisect::judging_range(end_commit(request.kernels.at(0)), end_commit(subject),
                                     end_commit(request.kernels.at(2)));
  bisect::JudgingSettings settings{.min_effect = judge.min_effect};
  if (request.boots > 0) settings.most_boots = request.boots;
  auto strategy = bisect::make_judging(range, judge.boots, settings);
  return engine::Bisection({.range = std::move(range),
                            .variant = subject.variant,
                            .scenario = execution.inputs.scenario,
                            .machine = machine,
                            .question = question_of(request)},
                           std::move(strategy), bench.prober())
      .run();
}

}  // namespace

Result<RunStatus> carry_out_calibration(const Execution& execution, Workbench& bench) {
  const auto& request = execution.inputs.request;
  BR_TRY_ASSIGN(const auto machine, bench.settle(request.machine, request.kernels.at(0)));
  Range range;
  range.nodes = {end_commit(request.kernels.at(0)), end_commit(request.kernels.at(1))};
  range.parents = {{}, {0}};
  range.boundary = 1;
  auto strategy = bisect::make_ends_only(range, min_effect_of(request));
  BR_TRY_ASSIGN(const auto findings, engine::Bisection({.range = std::move(range),
                                                        .variant = request.kernels.at(0).variant,
                                                        .scenario = execution.inputs.scenario,
                                                        .machine = machine,
                                                        .question = question_of(request)},
                                                       std::move(strategy), bench.prober())
                                         .run());
  BR_TRY(save(execution, findings));
  if (findings.status != RunStatus::answered) return findings.status;
  BR_TRY_ASSIGN(const auto record, execution.store.run(execution.run.id));
  const auto judge = judge_file_from(execution, bench.prober().history(), record.provenance);
  BR_TRY(kernel::write_file(request.judge_file, to_json(judge), true));
  return findings.status;
}

Result<RunStatus> carry_out_judgement(const Execution& execution, Workbench& bench) {
  BR_TRY_ASSIGN(const auto judge, read_judge_file(execution.inputs.request.judge_file));
  BR_TRY_ASSIGN(const auto findings, judged(execution, bench, judge));
  BR_TRY(save(execution, findings));
  return findings.status;
}

}  // namespace bisect_run::cli
