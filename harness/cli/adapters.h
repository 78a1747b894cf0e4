#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <stop_token>
#include <string>

#include "cli/progress.h"
#include "engine/ports.h"
#include "git/repository.h"
#include "git/work_tree.h"
#include "kernel/workshop.h"
#include "lab/lab.h"
#include "model/recipe.h"
#include "store/store.h"

// The rooms, plugged into the engine's ports.

namespace bisect_run::cli {

/// Commits and patches → images: checks out only what is not in the cache.
class BuildAdapter : public engine::Builder {
 public:
  /// `recipe` must outlive the adapter.
  BuildAdapter(const git::Repository& repository, git::WorkTree& tree, kernel::Workshop& workshop,
               const Recipe& recipe, Progress& progress, std::stop_token stop);
  Result<Image> build(const KernelSpec& spec) override;

 private:
  Result<std::set<std::string>> contained_in(const Oid& commit) const;
  void tell_of_lost_lines(const Image& image);

  const git::Repository& repository_;
  git::WorkTree& tree_;
  kernel::Workshop& workshop_;
  const Recipe& recipe_;
  std::set<std::string> ancestry_;  ///< the commits whose ancestry the recipe asks about
  Progress& progress_;
  std::stop_token stop_;
  std::string told_;  ///< the last thing said of lost lines: it is the same for most commits
};

class LabAdapter : public engine::Lab {
 public:
  LabAdapter(lab::Lab& lab, const Recipe& recipe, Progress& progress, std::stop_token stop);
  Boot boot(const engine::BootRequest& request, engine::SampleSink& sink) override;

 private:
  lab::Lab& lab_;
  const Recipe& recipe_;
  Progress& progress_;
  std::stop_token stop_;
};

/// Seconds since the run was begun, the time it was stopped included: drift of the host went on
/// meanwhile. Within a process it never jumps, and a host whose date was set back does not turn it
/// back.
class RunClock : public engine::Clock {
 public:
  /// `recorded_s`: the latest time the store knows of this run.
  RunClock(double started_at_epoch_s, double recorded_s);
  double now() const override;

 private:
  double before_;
  std::chrono::steady_clock::time_point start_;
};

/// One run's facts, into the store.
class RecordAdapter : public engine::Recorder, public engine::SampleSink {
 public:
  RecordAdapter(store::Store& store, std::string run, const RunClock& clock);
  Status journal(std::string_view stage, std::string_view detail) override;
  Status built(const KernelSpec& spec, const Result<Image>& outcome) override;
  Result<engine::SampleSink*> boot_started(const engine::BootRequest& request) override;
  Result<std::int64_t> boot_ended(const Boot& boot, double ended_at) override;
  Status handshake(const Handshake& handshake) override;
  Status sample(const Sample& sample) override;

 private:
  store::Store& store_;
  std::string run_;
  const RunClock& clock_;
  std::int64_t boot_ = 0;
};

}  // namespace bisect_run::cli
