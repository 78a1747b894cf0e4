#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/boot.h"
#include "model/commit.h"
#include "model/error.h"
#include "model/kernel.h"
#include "model/machine.h"
#include "model/scenario.h"
#include "model/touched_paths.h"
#include "model/verdict.h"

// What the engine asks of the world. cli/ plugs the rooms in; tests plug in a simulated world.

namespace bisect_run::engine {

/// Turns a spec into an image, from the cache if it is there.
class Builder {
 public:
  virtual ~Builder() = default;
  /// Errors: skip_build (the kernel's fault), infra (ours), interrupted, usage.
  virtual Result<Image> build(const KernelSpec& spec) = 0;
  /// Several kernels, at the same time where that can be: an outcome for each, in their order.
  virtual std::vector<Result<Image>> build_together(std::span<const KernelSpec> specs) {
    std::vector<Result<Image>> outcomes;
    for (const auto& spec : specs) outcomes.push_back(build(spec));
    return outcomes;
  }
  /// The source files that the build of an image read; nothing where that is not known.
  virtual std::optional<std::vector<std::string>> files_read(const Image& /*image*/) {
    return std::nullopt;
  }
};

/// Takes what a boot measures, as it arrives. A sample is acknowledged when `sample` returned.
class SampleSink {
 public:
  virtual ~SampleSink() = default;
  virtual Status handshake(const Handshake& handshake) = 0;
  virtual Status sample(const Sample& sample) = 0;
};

/// One boot of one image.
struct BootRequest {
  KernelSpec spec;
  Image image;
  Machine machine;
  Scenario scenario;
};

/// Boots an image and measures a scenario on it. All that can go wrong is in Boot::outcome.
class Lab {
 public:
  virtual ~Lab() = default;
  virtual Boot boot(const BootRequest& request, SampleSink& sink) = 0;
};

/// A patch that takes a commit back, or why there is none.
struct Undoing {
  std::optional<Patch> patch;
  std::string why_not;
};

/// The repository, as far as the engine asks.
class Source {
 public:
  virtual ~Source() = default;
  /// What takes `commit` back on top of `on`, where it fits. Errors: infra.
  virtual Result<Undoing> undo(const Oid& commit, const Oid& on) = 0;
  /// The paths that the commits of a range touch. Errors: infra.
  virtual Result<TouchedPaths> touched_paths(const Range& range) = 0;
};

/// Keeps every fact, before it is used.
class Recorder {
 public:
  virtual ~Recorder() = default;
  virtual Status journal(std::string_view stage, std::string_view detail) = 0;
  virtual Status built(const KernelSpec& spec, const Result<Image>& outcome) = 0;
  /// The sink stays valid until `boot_ended`.
  virtual Result<SampleSink*> boot_started(const BootRequest& request) = 0;
  /// Returns the id of the boot; `ended_at` is on the run's clock.
  virtual Result<std::int64_t> boot_ended(const Boot& boot, double ended_at) = 0;
};

/// Seconds since the run began; goes on over a resume, never backwards.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual double now() const = 0;
};

}  // namespace bisect_run::engine
