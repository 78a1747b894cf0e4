#include <fmt/format.h>

#include "cli/context.h"
#include "cli/execution.h"
#include "cli/last_run.h"
#include "cli/printing.h"
#include "model/try.h"

namespace bisect_run::cli {
namespace {

/// The run to go on with: the one named, else the last one that is not finished.
Result<store::RunRecord> unfinished_run(const store::Store& store, const std::string& wanted) {
  if (!wanted.empty()) return store.run(wanted);
  BR_TRY_ASSIGN(const auto runs, store.runs());
  for (auto run = runs.rbegin(); run != runs.rend(); ++run)
    if (run->status == RunStatus::running || run->status == RunStatus::interrupted ||
        run->status == RunStatus::failed)
      return *run;
  return fail(ErrorKind::usage, "there is no run that could be resumed: all are finished");
}

bool finished(const store::RunRecord& run) {
  return run.status == RunStatus::answered || run.status == RunStatus::unanswered ||
         run.status == RunStatus::refused;
}

}  // namespace

Result<int> resume_command(const Arguments& arguments, const Context& context) {
  if (auto readable = open_results(context.places); !readable)
    return std::unexpected(readable.error());
  BR_TRY_ASSIGN(auto store, store::Store::open(context.places.database()));
  BR_TRY_ASSIGN(const auto record, unfinished_run(store, arguments.run));
  if (finished(record)) {
    fmt::print(stderr, "run {} is finished; this is its report\n", record.id);
    BR_TRY(print_run(store, record.id, {}));
    return kAnswered;
  }
  BR_TRY(store.claim(record.id));
  if (record.request.repository.empty())
    return fail(ErrorKind::usage, fmt::format("run {} measured this machine's own kernel: it is not "
                                              "resumed, run the scenario again",
                                              record.id));
  const auto directory = run_directory(context.places, record.id);
  if (!std::filesystem::exists(directory / "kernels.yaml"))
    return fail(ErrorKind::usage,
                fmt::format("run {} was stopped before anything was done, or its directory {} is "
                            "gone; start it anew",
                            record.id, directory.string()));
  BR_TRY_ASSIGN(auto inputs, restore_inputs(record.request, directory));
  BR_TRY(set_cache_size(inputs.recipe, arguments.cache_size));
  BR_TRY(store.set_status(record.id, RunStatus::running));
  return execute({.store = store,
                  .run = {record.id, directory, record.started_at},
                  .inputs = std::move(inputs),
                  .connect = arguments.connect,
                  .quiet = arguments.quiet},
                 context);
}

}  // namespace bisect_run::cli
