#include <algorithm>
#include <cstdio>
#include <exception>
#include <stop_token>
#include <string_view>

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/context.h"
#include "cli/places.h"
#include "process/signals.h"

namespace {

using namespace bisect_run;
using namespace bisect_run::cli;

Result<int> dispatch(const Arguments& arguments, const Context& context) {
  switch (arguments.command) {
    case CommandKind::bisect:
      return bisect_command(arguments, context);
    case CommandKind::compare:
    case CommandKind::scenario:
      return compare_command(arguments, context);
    case CommandKind::plan:
      return plan_command(arguments, context);
    case CommandKind::report:
      return report_command(arguments, context);
    case CommandKind::runs:
      return runs_command(arguments, context);
    case CommandKind::show:
      return show_command(arguments, context);
    case CommandKind::resume:
      return resume_command(arguments, context);
    case CommandKind::doctor:
      return doctor_command(arguments, context);
    case CommandKind::calibrate:
      return calibrate_command(arguments, context);
    case CommandKind::demo:
      return demo_command(arguments, context);
  }
  return fail(ErrorKind::bug, "unknown command");
}

/// Of `scenario --judge`: only what was measured is a vote.
int judge_exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return kJudgeUsage;
    case ErrorKind::interrupted:
      return kInterrupted;
    case ErrorKind::skip_build:
    case ErrorKind::skip_boot:
    case ErrorKind::skip_guest:
      return kNotJudged;
    case ErrorKind::infra:
    case ErrorKind::bug:
      return kJudgeInfrastructure;
  }
  return kJudgeInfrastructure;
}

/// Looks at the words themselves: wrong arguments must not be a vote either.
bool is_judging(int argc, char** argv) {
  return std::any_of(argv, argv + argc, [](std::string_view word) {
    return word == "--judge" || word.starts_with("--judge=");
  });
}

int report_failure(const Error& error, bool judging) {
  // Not fmt::print, which throws: the terminal may be what has gone.
  std::fputs(fmt::format("bisect-run: {}\n", error.message).c_str(), stderr);
  if (!error.detail.empty()) std::fputs((error.detail + "\n").c_str(), stderr);
  return judging ? judge_exit_code(error.kind) : exit_code(error.kind);
}

/// Reading what was measured, and planning, need no guest.
bool measures(CommandKind command) {
  switch (command) {
    case CommandKind::plan:
    case CommandKind::report:
    case CommandKind::runs:
    case CommandKind::show:
      return false;
    default:
      return true;
  }
}

int run(int argc, char** argv) {
  std::stop_source stop;
  const process::SignalOwner signals(stop);
  const auto parsed = parse(argc, argv);
  const bool judging = is_judging(argc, argv);
  if (!parsed) return report_failure(parsed.error(), judging);
  if (!parsed->arguments) {
    fmt::print("{}", parsed->text);
    return kAnswered;
  }
  auto places = find_places(parsed->arguments->results, measures(parsed->arguments->command));
  if (!places) return report_failure(places.error(), judging);
  const auto code = dispatch(*parsed->arguments, {std::move(*places), stop.get_token()});
  return code ? *code : report_failure(code.error(), judging);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    // Nothing below is meant to throw; what does is a fault of ours and is said in one line.
    std::fprintf(stderr, "bisect-run: internal error: %s\n", error.what());
    return is_judging(argc, argv) ? kJudgeInfrastructure : kInfrastructure;
  }
}
