// What serves git bisect run: calibrate, and scenario --judge.

#include <fmt/format.h>
#include <unistd.h>

#include "cli/context.h"
#include "cli/execution.h"
#include "cli/host_facts.h"
#include "cli/judge_file.h"
#include "cli/last_run.h"
#include "cli/printing.h"
#include "model/try.h"
#include "report/command.h"

namespace bisect_run::cli {
namespace fs = std::filesystem;
namespace {

/// Found out before anything is built.
Result<fs::path> writable(const std::string& name) {
  const auto file = fs::absolute(name);
  std::error_code ignored;
  const auto directory = file.parent_path();
  if (fs::is_directory(file, ignored) || !fs::is_directory(directory, ignored) ||
      ::access(directory.c_str(), W_OK) != 0)
    return fail(ErrorKind::usage,
                fmt::format("--out {}: no file can be written there; name one in a directory that "
                            "exists",
                            name));
  return file;
}

std::unexpected<Error> differs(const char* what, std::string_view then, std::string_view now) {
  return fail(ErrorKind::usage,
              fmt::format("the calibration was made with {} {}, this would be {}: such numbers are "
                          "not compared; calibrate again",
                          what, then, now));
}

/// The arguments of the calibration, where the person gave none of their own.
Result<Arguments> as_calibrated(Arguments arguments, const JudgeFile& judge) {
  if (arguments.scenario != judge.scenario &&
      std::filesystem::path(arguments.scenario).stem() != judge.scenario)
    return differs("scenario", judge.scenario, arguments.scenario);
  if (arguments.mode && *arguments.mode != judge.mode)
    return differs("mode", judge.mode, *arguments.mode);
  if (arguments.metric && *arguments.metric != judge.metric)
    return differs("metric", judge.metric, *arguments.metric);
  if (!arguments.variants.empty() && arguments.variants.front() != judge.variant)
    return differs("variant", judge.variant, arguments.variants.front());
  if (!arguments.cpus.empty() && arguments.cpus.front() != judge.machine.cpus)
    return differs("vCPUs:", fmt::format("{}", judge.machine.cpus),
                   fmt::format("{}", arguments.cpus.front()));
  if (!arguments.marks.empty() && arguments.marks != judge.marks)
    return fail(ErrorKind::usage, "the calibration was made with other marks; leave --marks out");
  arguments.mode = judge.mode;
  arguments.metric = judge.metric;
  arguments.variants = {judge.variant};
  arguments.cpus = {judge.machine.cpus};
  arguments.marks = judge.marks;
  return arguments;
}

/// What cannot be seen from the arguments.
Status check_same_world(const Inputs& inputs, const JudgeFile& judge, const Places& places) {
  if (inputs.request.kernels.front().variant != judge.variant)
    return differs("variant", judge.variant, inputs.request.kernels.front().variant);
  if (inputs.scenario.digest != judge.scenario_digest)
    return fail(ErrorKind::usage,
                fmt::format("the scenario {} measures something else than when it was calibrated; "
                            "calibrate again",
                            judge.scenario));
  if (host_digest() != judge.host)
    return fail(ErrorKind::usage,
                "the calibration was made on another machine: its levels mean nothing here; "
                "calibrate again");
  if (file_digest(places.agent) != judge.agent)
    return fail(ErrorKind::usage,
                "the guest agent is another one than at the calibration; calibrate again");
  if (file_digest(inputs.recipe.file) != judge.recipe)
    return fail(ErrorKind::usage,
                fmt::format("{} was changed since the calibration; calibrate again",
                            inputs.recipe.file.string()));
  return {};
}

Result<KernelSpec> end_spec(const Inputs& inputs, const JudgeFile::End& end,
                            const std::string& variant) {
  BR_TRY_ASSIGN(auto oid, inputs.repository.resolve(end.commit.hex));
  return KernelSpec{.text = end.text, .commit = std::move(oid), .patches = {}, .variant = variant};
}

/// Errors: usage, for all that makes the file mean nothing here.
Result<Inputs> judge_inputs(const Arguments& arguments, const Context& context) {
  const auto file = fs::absolute(*arguments.judge);
  BR_TRY_ASSIGN(const auto judge, read_judge_file(file));
  BR_TRY_ASSIGN(const auto same, as_calibrated(arguments, judge));
  BR_TRY_ASSIGN(auto inputs, read_inputs(same, context.places, last_repository(context.places)));
  BR_TRY(check_same_world(inputs, judge, context.places));
  BR_TRY_ASSIGN(auto good, end_spec(inputs, judge.good, judge.variant));
  BR_TRY_ASSIGN(auto bad, end_spec(inputs, judge.bad, judge.variant));
  auto& request = inputs.request;
  auto subject = std::move(request.kernels.front());
  request.kernels = {std::move(good), std::move(subject), std::move(bad)};
  request.kind = RunKind::judge;
  request.judge_file = file.string();
  request.machine = judge.machine;
  request.find_fix = judge.find_fix;
  return inputs;
}

/// Errors: usage, where the ends themselves cannot be tested any more.
Result<int> tell_verdict(const store::RunRecord& run) {
  if (run.status == RunStatus::refused)
    return fail(ErrorKind::usage, fmt::format("the calibration does not hold: {}; calibrate again",
                                              run.answer ? run.answer->reason : run.message));
  const auto& subject = run.request.kernels.at(kSubjectKernel);
  const auto& answer = run.answer;
  const auto sure = [&]() -> std::string {
    if (!answer->reason.empty()) return answer->reason;
    return answer->confidence ? fmt::format("P {:.4f}", *answer->confidence) : "";
  };
  if (answer && answer->kind == Answer::Kind::commit && answer->commits.size() == 1) {
    const bool bad = answer->commits.front().oid == subject.commit;
    fmt::print("{} is {}: {}\n", subject.text, bad ? "bad" : "good", sure());
    return bad ? kJudgedBad : kJudgedGood;
  }
  fmt::print("{} is neither good nor bad: {}\n", subject.text,
             answer ? answer->reason : run.message);
  return kNotJudged;
}

}  // namespace

Result<int> calibrate_command(const Arguments& arguments, const Context& context) {
  BR_TRY_ASSIGN(const auto file, writable(arguments.out));
  BR_TRY_ASSIGN(auto inputs,
                read_inputs(arguments, context.places, last_repository(context.places)));
  inputs.request.judge_file = file.string();
  const auto repository = inputs.request.repository;
  const auto scenario = inputs.request.scenario;
  BR_TRY_ASSIGN(auto store, store::Store::open(context.places.database()));
  BR_TRY_ASSIGN(auto run, begin_run(store, inputs, context.places));
  const auto id = run.id;
  BR_TRY_ASSIGN(const int code, execute({.store = store,
                                         .run = std::move(run),
                                         .inputs = std::move(inputs),
                                         .quiet = arguments.quiet,
                                         .printing = printing_of(arguments, context.places)},
                                        context));
  if (code != kAnswered) {
    BR_TRY_ASSIGN(const auto record, store.run(id));
    fmt::print("nothing was written: {}\n", record.answer ? record.answer->reason : record.message);
    return code;
  }
  fmt::print(
      "\nwritten to {}; now, in {}\n  git bisect start BAD GOOD\n"
      "  git bisect run bisect-run scenario {} HEAD --judge {}\n",
      file.string(), repository, scenario, report::shell_word(file.string()));
  return kAnswered;
}

Result<int> judge_command(const Arguments& arguments, const Context& context) {
  BR_TRY_ASSIGN(auto inputs, judge_inputs(arguments, context));
  BR_TRY_ASSIGN(auto store, store::Store::open(context.places.database()));
  BR_TRY_ASSIGN(auto run, begin_run(store, inputs, context.places));
  const auto id = run.id;
  BR_TRY(execute({.store = store,
                  .run = std::move(run),
                  .inputs = std::move(inputs),
                  .quiet = arguments.quiet,
                  .printing = printing_of(arguments, context.places)},
                 context));
  BR_TRY_ASSIGN(const auto record, store.run(id));
  return tell_verdict(record);
}

}  // namespace bisect_run::cli
