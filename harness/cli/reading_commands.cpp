// The commands that only read: report, show, runs.

#include <chrono>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/context.h"
#include "cli/last_run.h"
#include "cli/printing.h"
#include "model/try.h"

namespace bisect_run::cli {
namespace {

std::string local_time(double epoch_s) {
  return fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(static_cast<std::time_t>(epoch_s)));
}

std::string status_word(const store::RunRecord& run) {
  if (run.status == RunStatus::running) return run.live ? "running" : "died, resumable";
  return std::string(to_string(run.status));
}

}  // namespace

Result<int> report_command(const Arguments& arguments, const Context& context) {
  BR_TRY_ASSIGN(const auto store, open_results(context.places));
  BR_TRY_ASSIGN(const auto run, find_run(store, arguments.run));
  BR_TRY(print_run(store, run.id, printing_of(arguments, context.places)));
  return kAnswered;
}

Result<int> show_command(const Arguments& arguments, const Context& context) {
  BR_TRY_ASSIGN(const auto store, open_results(context.places));
  BR_TRY_ASSIGN(const auto run, find_run(store, arguments.run));
  BR_TRY(print_run(store, run.id, {.format = "show"}));
  return kAnswered;
}

Result<int> runs_command(const Arguments&, const Context& context) {
  BR_TRY_ASSIGN(const auto store, open_results(context.places));
  BR_TRY_ASSIGN(const auto runs, store.runs());
  for (const auto& run : runs) {
    std::vector<std::string> kernels;
    for (const auto& kernel : run.request.kernels) kernels.push_back(kernel.text);
    fmt::print("{}  {}  {:<8}  {:<15}  {}  {}\n", run.id, local_time(run.started_at),
               to_string(run.request.kind), status_word(run), run.request.scenario,
               fmt::join(kernels, " "));
  }
  return kAnswered;
}

}  // namespace bisect_run::cli
