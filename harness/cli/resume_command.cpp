#include <fmt/format.h>

#include "cli/budget.h"
#include "cli/context.h"
#include "cli/execution.h"
#include "cli/host_choice.h"
#include "cli/last_run.h"
#include "cli/printing.h"
#include "cli/progress.h"
#include "model/try.h"

namespace bisect_run::cli {
namespace {

/// A bisect that ended for want of time can have more.
bool wants_time(const store::RunRecord& run, const Arguments& arguments) {
  return arguments.budget_s && run.status == RunStatus::unanswered && run.request.budget_s > 0;
}

/// The run to go on with: the one named, else the last one that is not finished.
Result<store::RunRecord> unfinished_run(const store::Store& store, const Arguments& arguments) {
  if (!arguments.run.empty()) return store.run(arguments.run);
  BR_TRY_ASSIGN(const auto runs, store.runs());
  for (auto run = runs.rbegin(); run != runs.rend(); ++run)
    if (run->status == RunStatus::running || run->status == RunStatus::interrupted ||
        run->status == RunStatus::failed || wants_time(*run, arguments))
      return *run;
  return fail(ErrorKind::usage, "there is no run that could be resumed: all are finished");
}

bool finished(const store::RunRecord& run) {
  return run.status == RunStatus::answered || run.status == RunStatus::unanswered ||
         run.status == RunStatus::refused;
}

/// The request with what is asked for now: another budget, another host.
/// Errors: usage, where so much was spent already.
Result<RunRequest> amended_request(const store::Store& store, const store::RunRecord& run,
                                   const Arguments& arguments) {
  RunRequest request = run.request;
  request.host = host_choice(arguments, std::move(request.host));
  if (!arguments.budget_s) return request;
  if (request.kind != RunKind::bisect)
    return fail(ErrorKind::usage, fmt::format("run {} is no bisect: it has no budget", run.id));
  BR_TRY_ASSIGN(const auto journal, store.journal(run.id));
  BR_TRY_ASSIGN(const auto history, store.history(run.id));
  const double worked = worked_seconds(journal, history);
  if (worked >= *arguments.budget_s)
    return fail(ErrorKind::usage,
                fmt::format("run {} has spent {} already: a budget of {} is the whole of it, give "
                            "more",
                            run.id, duration(worked), duration(*arguments.budget_s)));
  request.budget_s = *arguments.budget_s;
  return request;
}

}  // namespace

Result<int> resume_command(const Arguments& arguments, const Context& context) {
  if (auto readable = open_results(context.places); !readable)
    return std::unexpected(readable.error());
  BR_TRY_ASSIGN(auto store, store::Store::open(context.places.database()));
  BR_TRY_ASSIGN(const auto record, unfinished_run(store, arguments));
  if (finished(record) && !wants_time(record, arguments)) {
    fmt::print(stderr, "run {} is finished; this is its report\n", record.id);
    BR_TRY(print_run(store, record.id, {}));
    return record.status == RunStatus::answered ? kAnswered : kNoSingleAnswer;
  }
  BR_TRY_ASSIGN(const auto request, amended_request(store, record, arguments));
  BR_TRY(store.claim(record.id));
  if (record.request.repository.empty())
    return fail(ErrorKind::usage,
                fmt::format("run {} measured this machine's own kernel: it is not "
                            "resumed, run the scenario again",
                            record.id));
  if (record.request.kind == RunKind::judge)
    return fail(ErrorKind::usage,
                fmt::format("run {} judged one commit for git bisect run: it is not resumed, the "
                            "next git bisect run judges it again",
                            record.id));
  const auto directory = run_directory(context.places, record.id);
  if (!std::filesystem::exists(directory / "kernels.yaml"))
    return fail(ErrorKind::usage,
                fmt::format("run {} was stopped before anything was done, or its directory {} is "
                            "gone; start it anew",
                            record.id, directory.string()));
  BR_TRY_ASSIGN(auto inputs, restore_inputs(request, directory));
  BR_TRY(store.amend_request(record.id, request));
  BR_TRY(store.set_status(record.id, RunStatus::running));
  return execute({.store = store,
                  .run = {record.id, directory, record.started_at},
                  .inputs = std::move(inputs),
                  .quiet = arguments.quiet},
                 context);
}

}  // namespace bisect_run::cli
