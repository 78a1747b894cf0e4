#include "cli/workbench.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernel/plan.h"
#include "lab/initramfs.h"
#include "model/try.h"

namespace bisect_run::cli {
namespace {

/// Time enough for a slow kernel without KVM, however many items the scenario asks for.
lab::Deadlines deadlines_for(const Scenario& scenario, lab::Deadlines deadlines = {}) {
  constexpr double kSecondsPerStep = 0.25;
  double steps = 0;
  for (const auto& workload : scenario.workloads)
    for (const auto& loop : workload.loops)
      steps += static_cast<double>(loop.each.size()) *
               static_cast<double>(loop.marks.empty() ? loop.count : loop.marks.back());
  deadlines.scenario_s =
      std::max(deadlines.scenario_s, steps * scenario.repetitions * kSecondsPerStep);
  deadlines.probe_s = deadlines.scenario_s + deadlines.boot_s + 240;
  return deadlines;
}

/// Of the longest scenario of the run.
lab::Deadlines deadlines_for(const Inputs& inputs) {
  auto deadlines = deadlines_for(inputs.scenario);
  for (const auto& more : inputs.more_scenarios) deadlines = deadlines_for(more, deadlines);
  return deadlines;
}

bool finished(RunStatus status) {
  return status == RunStatus::answered || status == RunStatus::unanswered ||
         status == RunStatus::refused;
}

/// Copies of the agent that finished runs keep beside their results: nothing needs them any more.
std::vector<std::filesystem::path> spare_copies(const Workbench::Setup& setup) {
  std::vector<std::filesystem::path> copies;
  const auto runs = setup.store.runs();
  if (!runs) return copies;
  std::error_code error;
  for (const auto& run : *runs) {
    if (run.id == setup.run || !finished(run.status)) continue;
    for (std::filesystem::directory_iterator it(setup.run_directory.parent_path() / run.id, error),
         end;
         !error && it != end; it.increment(error)) {
      const auto name = it->path().filename().string();
      if (name == "bisect-agent" || name.starts_with("initramfs-")) copies.push_back(it->path());
    }
  }
  return copies;
}

}  // namespace

Workbench::Workbench(Setup setup) : setup_(std::move(setup)) {}

Status Workbench::open_trees() {
  const auto first = tree_directory(setup_.places.cache, setup_.inputs.repository.path());
  for (int lane = 0; lane < std::max(1, setup_.inputs.request.prebuild); ++lane) {
    auto directory = first;
    if (lane > 0) directory += fmt::format("-{}", lane + 1);
    BR_TRY_ASSIGN(auto tree, git::WorkTree::open(directory, setup_.inputs.repository));
    trees_.push_back(std::move(tree));
  }
  return {};
}

Result<std::unique_ptr<Workbench>> Workbench::open(Setup setup, History history) {
  std::unique_ptr<Workbench> bench(new Workbench(std::move(setup)));
  auto& s = bench->setup_;
  BR_TRY(bench->open_trees());
  BR_TRY_ASSIGN(auto workshop, kernel::Workshop::open({.cache = s.places.cache,
                                                       .remedies = s.run_directory / "remedies",
                                                       .recipe = s.inputs.recipe,
                                                       .free_bytes_needed = kNeededBytes,
                                                       .spare_copies = spare_copies(s)}));
  bench->workshop_ = std::make_unique<kernel::Workshop>(std::move(workshop));
  if (const auto& why = bench->workshop_->not_isolated(); !why.empty())
    s.progress.note("builds run with all your rights, not isolated: " + why);
  const auto& uri = s.inputs.request.host.connect;
  BR_TRY_ASSIGN(auto lab, lab::Lab::open({.work = s.run_directory,
                                          .agent = s.run_directory / "bisect-agent",
                                          .memory_of_accelerators = s.places.cache / "accelerators",
                                          .deadlines = deadlines_for(s.inputs),
                                          .notice =
                                              [&s](std::string_view text) {
                                                s.progress.note(text.substr(0, text.find('\n')));
                                              }},
                                         {.uri = uri.empty() ? kDefaultConnect : uri,
                                          .capabilities_cache = s.places.cache / "libvirt",
                                          .run_tag = s.run.substr(s.run.rfind('-') + 1)}));
  bench->lab_ = std::make_unique<lab::Lab>(std::move(lab));
  // A program that mode process needs and this machine lacks is said before anything is built.
  BR_TRY(lab::guest_files(s.run_directory / "bisect-agent", s.inputs.scenario.mode));
  bench->builder_ = std::make_unique<BuildAdapter>(
      s.inputs.repository, bench->trees_, *bench->workshop_, s.inputs.recipe, s.progress, s.stop);
  bench->source_ = std::make_unique<SourceAdapter>(s.inputs.repository, bench->trees_.front());
  bench->lab_adapter_ =
      std::make_unique<LabAdapter>(*bench->lab_, s.inputs.recipe, s.progress, s.stop);
  bench->clock_ = std::make_unique<RunClock>(s.started_at, history.elapsed);
  bench->recorder_ = std::make_unique<RecordAdapter>(s.store, s.run, *bench->clock_);
  bench->prober_ = std::make_unique<engine::Prober>(
      engine::Ports{*bench->builder_, *bench->lab_adapter_, *bench->recorder_, *bench->clock_,
                    s.progress, bench->source_.get()},
      std::move(history), s.stop);
  return bench;
}

Result<Machine> Workbench::settle(Machine machine, const KernelSpec& kernel) {
  const bool is_virtual = machine.clock == "virtual";
  for (const auto& record : prober_->history().boots) {
    const auto& had = record.boot.machine;
    if (had.accelerator == "auto" || had.clock != machine.clock) continue;
    if (is_virtual && record.boot.outcome != BootOutcome::complete) continue;
    machine.accelerator = had.accelerator;
    return machine;
  }
  setup_.progress.probing(kernel, is_virtual ? "the virtual clock is proven with it"
                                             : "the accelerator is proven with it");
  BR_TRY_ASSIGN(const Image* image, prober_->image(kernel));
  if (!image)
    return fail(ErrorKind::skip_build,
                kernel.text + " does not build, so nothing can be measured against it: " +
                    prober_->history().builds.back().error->message,
                prober_->history().builds.back().error->detail);
  const auto& arguments = setup_.inputs.recipe.boot_args;
  if (is_virtual) {
    BR_TRY(lab_->prove_virtual_clock(*image, machine, arguments));
    return machine;
  }
  BR_TRY_ASSIGN(machine.accelerator, lab_->accelerator(machine.accelerator, *image, arguments));
  return machine;
}

}  // namespace bisect_run::cli
