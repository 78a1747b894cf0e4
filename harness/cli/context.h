#pragma once

#include <functional>
#include <stop_token>

#include "cli/arguments.h"
#include "cli/places.h"
#include "model/error.h"

namespace bisect_run::cli {

/// What every command gets beside its arguments.
struct Context {
  Places places;
  std::stop_token stop;
};

/// Exit codes of design.md section 1.
inline constexpr int kAnswered = 0;
inline constexpr int kNoSingleAnswer = 1;
inline constexpr int kUsage = 2;
inline constexpr int kInfrastructure = 3;
inline constexpr int kInterrupted = 130;

/// Exit codes of `scenario --judge`: git bisect run takes 1 to 127 but 125 for a vote, and ends at
/// 128 and above.
inline constexpr int kJudgedGood = 0;
inline constexpr int kJudgedBad = 1;
inline constexpr int kNotJudged = 125;
inline constexpr int kJudgeUsage = 128;
inline constexpr int kJudgeInfrastructure = 129;

/// The one for a failure.
int exit_code(ErrorKind kind);

// One file a command. Each returns the exit code of a command that did its work.

Result<int> bisect_command(const Arguments& arguments, const Context& context);
Result<int> compare_command(const Arguments& arguments, const Context& context);  // and scenario
Result<int> calibrate_command(const Arguments& arguments, const Context& context);
Result<int> judge_command(const Arguments& arguments, const Context& context);  // scenario --judge
Result<int> here_command(const Arguments& arguments, const Context& context);   // scenario --here
Result<int> plan_command(const Arguments& arguments, const Context& context);
Result<int> report_command(const Arguments& arguments, const Context& context);
Result<int> runs_command(const Arguments& arguments, const Context& context);
Result<int> show_command(const Arguments& arguments, const Context& context);
Result<int> resume_command(const Arguments& arguments, const Context& context);
Result<int> doctor_command(const Arguments& arguments, const Context& context);
Result<int> demo_command(const Arguments& arguments, const Context& context);

}  // namespace bisect_run::cli
