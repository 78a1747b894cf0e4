// A controller over fake builds and a fake lab: the real engine, strategy, store and signals.
//
//   faults_controller DIRECTORY [live | BUDGET]
//
// begins a bisect in DIRECTORY/results.db, or goes on with the one that is there, as `bisect-run`
// and `bisect-run resume` do, and prints the answer. With `live` it takes a hundred times as long
// and shows its progress on the terminal, as they do. BUDGET is in seconds; without, a run keeps
// what it had.

#include <fcntl.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "bisect/posterior.h"
#include "cli/adapters.h"
#include "cli/budget.h"
#include "cli/context.h"
#include "cli/progress.h"
#include "engine/bisection.h"
#include "faults/watched.h"
#include "faults/world.h"
#include "model/try.h"
#include "process/signals.h"

namespace bisect_run {
namespace {

namespace fs = std::filesystem;

/// The one run of the file, begun if there is none.
Result<store::RunRecord> take_up(store::Store& store, std::optional<double> budget_s) {
  BR_TRY_ASSIGN(auto runs, store.runs());
  if (!runs.empty()) {
    auto& run = runs.front();
    BR_TRY(store.claim(run.id));
    run.request.budget_s = budget_s.value_or(run.request.budget_s);
    BR_TRY(store.amend_request(run.id, run.request));
    return run;
  }
  RunRequest request;
  request.kernels = {{"good", {"0"}, {}, "none"}, {"bad", {"0"}, {}, "none"}};
  request.budget_s = budget_s.value_or(0);
  BR_TRY_ASSIGN(const auto id, store.begin_run(request, {}));
  return store.run(id);
}

Result<engine::Findings> work(store::Store& store, const store::RunRecord& run, int acknowledged,
                              bool live, std::stop_token stop) {
  BR_TRY_ASSIGN(auto history, store.history(run.id));
  cli::RunClock clock(run.started_at, history.elapsed);
  cli::RecordAdapter recorder(store, run.id, clock);
  const auto range = test::world_range();
  test::QuickBuilder builder(range, stop);
  test::QuickLab lab(range, acknowledged, stop);
  cli::Progress progress(cli::Progress::style_for(!live), "m/s");
  test::WatchedBuilder watched_builder(builder, progress);
  test::WatchedLab watched_lab(lab, progress);
  engine::Builder& builds = live ? static_cast<engine::Builder&>(watched_builder) : builder;
  engine::Lab& boots = live ? static_cast<engine::Lab&>(watched_lab) : lab;
  engine::Prober prober({builds, boots, recorder, clock, progress}, std::move(history), stop);
  lab.watch(prober);
  BR_TRY_ASSIGN(const auto deadline,
                cli::begin_session(store, run.id, run.request.budget_s, prober));
  engine::Bisection bisection({.range = range,
                               .variant = "none",
                               .scenario = {},
                               .machine = {.cpus = 2, .memory_mib = 512, .accelerator = "tcg"},
                               .question = {.metric = "m"},
                               .allowance = {.deadline = deadline},
                               .budget = cli::duration(run.request.budget_s)},
                              bisect::make_posterior(range), prober);
  BR_TRY_ASSIGN(auto findings, bisection.run());
  BR_TRY(recorder.journal(cli::kSearchedStage, ""));
  return findings;
}

Result<int> run(const fs::path& directory, bool live, std::optional<double> budget_s,
                std::stop_token stop) {
  BR_TRY_ASSIGN(auto store, store::Store::open(directory / "results.db"));
  BR_TRY_ASSIGN(const auto record, take_up(store, budget_s));
  const int acknowledged =
      ::open((directory / "acknowledged").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  const auto findings = work(store, record, acknowledged, live, stop);
  if (!findings) {
    const bool stopped = findings.error().kind == ErrorKind::interrupted;
    static_cast<void>(store.set_status(
        record.id, stopped ? RunStatus::interrupted : RunStatus::failed, findings.error().message));
    return std::unexpected(findings.error());
  }
  BR_TRY(store.save_probes(record.id, findings->probes));
  BR_TRY(store.save_answer(record.id, findings->answer));
  BR_TRY(store.set_status(record.id, findings->status));
  fmt::print("{}", to_string(findings->answer.kind));
  for (const auto& commit : findings->answer.commits) fmt::print(" {}", commit.subject);
  fmt::print("\n");
  return findings->status == RunStatus::answered ? cli::kAnswered : cli::kNoSingleAnswer;
}

}  // namespace
}  // namespace bisect_run

int main(int argc, char** argv) {
  using namespace bisect_run;
  const bool live = argc == 3 && std::string_view(argv[2]) == "live";
  std::optional<double> budget_s;
  if (argc == 3 && !live) budget_s = std::strtod(argv[2], nullptr);
  if (argc != 2 && !live && !(budget_s > 0)) return cli::kUsage;
  std::stop_source stop;
  const process::SignalOwner signals(stop);
  const auto code = run(argv[1], live, budget_s, stop.get_token());
  if (code) return *code;
  std::fprintf(stderr, "%s\n", code.error().message.c_str());
  if (code.error().kind == ErrorKind::interrupted) return cli::kInterrupted;
  return code.error().kind == ErrorKind::usage ? cli::kUsage : cli::kInfrastructure;
}
