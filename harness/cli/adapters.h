#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

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

/// Commits and patches → images: checks out only what is not in the cache. As many kernels are
/// built at once as there are trees.
class BuildAdapter : public engine::Builder {
 public:
  /// `recipe` must outlive the adapter.
  BuildAdapter(const git::Repository& repository, std::vector<git::WorkTree>& trees,
               kernel::Workshop& workshop, const Recipe& recipe, Progress& progress,
               std::stop_token stop);
  Result<Image> build(const KernelSpec& spec) override;
  std::vector<Result<Image>> build_together(std::span<const KernelSpec> specs) override;
  std::optional<std::vector<std::string>> files_read(const Image& image) override {
    return workshop_.files_read(image);
  }

 private:
  /// What names the kernel's tree, and which commits of the ancestry it contains.
  struct Wanted {
    std::string key;
    std::set<std::string> contained;
  };
  Result<std::set<std::string>> contained_in(const Oid& commit) const;
  void tell_of_lost_lines(const Result<Image>& image);
  Result<Wanted> wanted(const KernelSpec& spec) const;
  Result<Image> build_in(git::WorkTree& tree, const Wanted& wanted, const KernelSpec& spec);

  const git::Repository& repository_;
  std::vector<git::WorkTree>& trees_;
  kernel::Workshop& workshop_;
  const Recipe& recipe_;
  std::set<std::string> ancestry_;  ///< the commits whose ancestry the recipe asks about
  Progress& progress_;
  std::stop_token stop_;
  std::string told_;  ///< the last thing said of lost lines: it is the same for most commits
};

/// Takes commits back, and tries whether that fits.
class SourceAdapter : public engine::Source {
 public:
  SourceAdapter(const git::Repository& repository, const git::WorkTree& tree)
      : repository_(repository), tree_(tree) {}
  Result<engine::Undoing> undo(const Oid& commit, const Oid& on) override;
  Result<TouchedPaths> touched_paths(const Range& range) override {
    return repository_.touched_paths(range);
  }

 private:
  const git::Repository& repository_;
  const git::WorkTree& tree_;
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
  RecordAdapter(store::Store& store, std::string run, const engine::Clock& clock);
  Status journal(std::string_view stage, std::string_view detail) override;
  Status built(const KernelSpec& spec, const Result<Image>& outcome) override;
  Result<engine::SampleSink*> boot_started(const engine::BootRequest& request) override;
  Result<std::int64_t> boot_ended(const Boot& boot, double ended_at) override;
  Status handshake(const Handshake& handshake) override;
  Status sample(const Sample& sample) override;

 private:
  store::Store& store_;
  std::string run_;
  const engine::Clock& clock_;
  std::int64_t boot_ = 0;
};

}  // namespace bisect_run::cli
