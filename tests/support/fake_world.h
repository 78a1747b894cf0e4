#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/ports.h"
#include "engine/prober.h"
#include "model/history.h"

// A world without kernels, behind the engine's own ports: commits are named by short words, and
// a table says what each builds to and measures.

namespace bisect_run::test {

struct FakeKernel {
  double rate = 100;  ///< items per second of every sample
  bool builds = true;
  BootOutcome outcome = BootOutcome::complete;
  std::string signature;  ///< empty: one of its own
  std::vector<LedgerLine> ledger;
  std::vector<std::string> boot_args;
  std::string offload;
  std::vector<std::string> reads;  ///< source files; empty: not known
};

struct QuietObserver : engine::Observer {
  std::vector<std::string> notes;
  void probing(const KernelSpec&, std::string_view) override {}
  void built(const KernelSpec&, const Result<Image>&) override {}
  void booted(const KernelSpec&, const Boot&, std::optional<double>) override {}
  void outlook(double, double) override {}
  void assessed(const std::vector<Probe>&) override {}
  void note(std::string_view text) override { notes.emplace_back(text); }
};

/// Takes back what it is told it can.
struct FakeSource : engine::Source {
  std::string why_not;  ///< empty: everything can be taken back
  Result<engine::Undoing> undo(const Oid& commit, const Oid&) override {
    if (!why_not.empty()) return engine::Undoing{std::nullopt, why_not};
    return engine::Undoing{Patch{"undo", "-" + commit.hex}, ""};
  }
  TouchedPaths touched;  ///< what it says of any range
  Result<TouchedPaths> touched_paths(const Range& range) override {
    touched.of.resize(range.nodes.size());
    return touched;
  }
};

struct FakeWorld : engine::Builder,
                   engine::Lab,
                   engine::Recorder,
                   engine::Clock,
                   engine::SampleSink {
  /// By commit and what each patch adds to it, or by that and @variant, which comes first.
  std::map<std::string, FakeKernel> kernels;
  std::vector<std::string> log;  ///< every request, in order
  QuietObserver observer;
  int infra_builds = 0, infra_boots = 0;  ///< so many of the next ones fail by the host
  std::function<void()> before_each;      ///< called before every build and boot
  double seconds = 0;
  std::int64_t next_id = 1;
  std::int64_t samples_recorded = 0;

  FakeSource source;

  engine::Ports ports() { return {*this, *this, *this, *this, observer}; }
  /// With a repository that takes commits back.
  engine::Ports ports_with_source() { return {*this, *this, *this, *this, observer, &source}; }
  static std::string name(const KernelSpec& spec) {
    std::string name = spec.commit.hex;
    for (const auto& patch : spec.patches) name += patch.text;
    return name;
  }

  const FakeKernel& kernel_of(const KernelSpec& spec) {
    const auto own = kernels.find(name(spec) + "@" + spec.variant);
    return own != kernels.end() ? own->second : kernels[name(spec)];
  }

  Result<Image> build(const KernelSpec& spec) override {
    if (before_each) before_each();
    log.push_back("build " + name(spec));
    seconds += 10;
    if (infra_builds-- > 0) return fail(ErrorKind::infra, "disk full");
    const auto& kernel = kernel_of(spec);
    if (!kernel.builds) return fail(ErrorKind::skip_build, "error: does not compile");
    Image image;
    image.signature = kernel.signature.empty() ? "sig-" + name(spec) : kernel.signature;
    image.build_key = name(spec);
    image.build_seconds = 10;
    image.ledger = kernel.ledger;
    image.boot_args = kernel.boot_args;
    image.offload = kernel.offload;
    return image;
  }

  std::optional<std::vector<std::string>> files_read(const Image& image) override {
    const auto& reads = kernels[image.build_key].reads;
    return reads.empty() ? std::nullopt : std::optional(reads);
  }

  Boot boot(const engine::BootRequest& request, engine::SampleSink& sink) override {
    if (before_each) before_each();
    log.push_back("boot " + name(request.spec));
    seconds += 5;
    Boot boot;
    boot.machine = request.machine;
    boot.wall_seconds = 5;
    if (infra_boots-- > 0) {
      boot.outcome = BootOutcome::infra;
      boot.reason = "libvirt is gone";
      return boot;
    }
    const auto& kernel = kernel_of(request.spec);
    boot.outcome = kernel.outcome;
    if (boot.outcome != BootOutcome::complete) {
      boot.reason = "as planned";
      return boot;
    }
    for (int chunk = 0; chunk < 9; ++chunk) {
      Sample sample;
      sample.metric = "m";
      sample.chunk = chunk;
      sample.items = 10;
      sample.wall_ns = static_cast<std::int64_t>(10 * 1e9 / kernel.rate);
      if (!sink.sample(sample)) boot.outcome = BootOutcome::infra;
    }
    return boot;
  }

  Status journal(std::string_view, std::string_view) override { return {}; }
  Status built(const KernelSpec&, const Result<Image>&) override { return {}; }
  Result<engine::SampleSink*> boot_started(const engine::BootRequest&) override { return this; }
  Result<std::int64_t> boot_ended(const Boot&, double) override { return next_id++; }
  Status handshake(const Handshake&) override { return {}; }
  Status sample(const Sample&) override {
    ++samples_recorded;
    return {};
  }
  double now() const override { return seconds; }
};

}  // namespace bisect_run::test
