#include <sys/utsname.h>

#include <thread>

#include <fmt/format.h>

#include "cli/adapters.h"
#include "cli/context.h"
#include "cli/execution.h"
#include "cli/host_facts.h"
#include "cli/on_end.h"
#include "config/scenario.h"
#include "engine/comparison.h"
#include "lab/here.h"
#include "model/try.h"

namespace bisect_run::cli {
namespace {

/// This machine's own kernel is there already.
class NothingToBuild : public engine::Builder {
 public:
  Result<Image> build(const KernelSpec& spec) override {
    Image image;
    image.signature = spec.commit.hex;
    image.cached = true;
    return image;
  }
};

class HereLab : public engine::Lab {
 public:
  HereLab(std::filesystem::path agent, Progress& progress, std::stop_token stop)
      : agent_(std::move(agent)), progress_(progress), stop_(std::move(stop)) {}

  Boot boot(const engine::BootRequest& request, engine::SampleSink& sink) override {
    const lab::Observer observer{
        .handshake = [&](const Handshake& handshake) { return sink.handshake(handshake); },
        .sample = [&](const Sample& sample) { return sink.sample(sample); },
        .progress = [this](std::string_view phase,
                           double fraction) { progress_.phase(phase, fraction); }};
    return lab::measure_here(agent_, request.scenario, {}, observer, stop_);
  }

 private:
  std::filesystem::path agent_;
  Progress& progress_;
  std::stop_token stop_;
};

/// No commit: the kernel is named by what it calls itself.
KernelSpec own_kernel() {
  utsname names{};
  uname(&names);
  return {.text = std::string("linux-") + names.release,
          .commit = {std::string("linux-") + names.release},
          .patches = {},
          .variant = "here"};
}

Machine own_machine() {
  return {.cpus = static_cast<int>(std::thread::hardware_concurrency()),
          .memory_mib = 0,
          .accelerator = "none"};
}

RunRequest request_of(const Arguments& arguments, const Scenario& scenario) {
  RunRequest request;
  request.kind = RunKind::scenario;
  request.kernels = {own_kernel()};
  request.scenario = scenario.name;
  request.mode = scenario.mode;
  request.metric = arguments.metric.value_or("");
  request.marks = arguments.marks;
  request.machine = own_machine();
  request.cpus = {request.machine.cpus};
  request.boots = arguments.boots.value_or(1);
  request.on_end = arguments.on_end;
  return request;
}

/// Every repetition was made, or one of them says why not.
Result<int> verdict(const engine::Prober& prober, int wanted) {
  int complete = 0;
  for (const auto& record : prober.history().boots)
    complete += record.boot.outcome == BootOutcome::complete ? 1 : 0;
  if (complete >= wanted) return kAnswered;
  const auto& last = prober.history().boots.back().boot;
  return fail(ErrorKind::skip_guest, fmt::format("{}: {}", to_string(last.outcome), last.reason));
}

}  // namespace

Result<int> here_command(const Arguments& arguments, const Context& context) {
  const auto printing = printing_of(arguments, context.places);
  BR_TRY(check(printing));
  BR_TRY_ASSIGN(const auto file,
                config::find_scenario(context.places.scenarios(), arguments.scenario));
  config::ScenarioChoice choice{.mode = arguments.mode.value_or(""), .marks = arguments.marks};
  if (arguments.metric) choice.metrics = {*arguments.metric};
  BR_TRY_ASSIGN(const auto scenario, config::load_scenario(file, choice));
  const auto request = request_of(arguments, scenario);

  BR_TRY_ASSIGN(auto store, store::Store::open(context.places.database()));
  BR_TRY_ASSIGN(const auto facts, gather_provenance(scenario, file, {}, context.places));
  BR_TRY_ASSIGN(const auto id, store.begin_run(request, facts));
  Progress progress(Progress::style_for(arguments.quiet), "items/s");
  NothingToBuild builder;
  HereLab lab(context.places.agent, progress, context.stop);
  BR_TRY_ASSIGN(const auto record, store.run(id));
  RunClock clock(record.started_at, 0);
  RecordAdapter recorder(store, id, clock);
  engine::Prober prober({builder, lab, recorder, clock, progress}, {}, context.stop);
  const engine::ComparisonSetup setup{.cells = {{request.kernels[0], request.machine}},
                                      .scenarios = {scenario},
                                      .boots = request.boots};
  if (const auto done = engine::run_comparison(setup, prober); !done) {
    const bool stopped = done.error().kind == ErrorKind::interrupted;
    BR_TRY(store.set_status(id, stopped ? RunStatus::interrupted : RunStatus::failed,
                            done.error().message));
    return std::unexpected(done.error());
  }
  progress.clear();
  BR_TRY(store.set_status(id, RunStatus::answered));
  BR_TRY(print_run(store, id, printing));
  auto code = verdict(prober, request.boots);
  run_on_end(request.on_end, store, id, run_directory(context.places, id),
             code ? *code : exit_code(code.error().kind), progress);
  return code;
}

}  // namespace bisect_run::cli
