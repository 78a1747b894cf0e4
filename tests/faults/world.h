#pragma once

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <random>
#include <stop_token>
#include <string>
#include <thread>

#include "engine/ports.h"
#include "engine/prober.h"
#include "model/spec_key.h"
#include "support/histories.h"

// A history with one change, and a builder and a lab that need milliseconds where others need
// minutes. What a boot measures depends on the commit and on how many boots of it were complete
// before: a controller that was killed sees what an uninterrupted one would have seen.

namespace bisect_run::test {

inline constexpr std::uint32_t kCandidates = 120;
inline constexpr std::uint32_t kCulprit = 77;
inline constexpr int kChunks = 9;

inline Range world_range() {
  std::mt19937_64 random(5);
  return random_range(random, kCandidates);
}

inline std::uint32_t number_of(const KernelSpec& spec) {
  return static_cast<std::uint32_t>(std::stoul(spec.commit.hex));
}

/// Whether each commit has the change.
inline std::vector<bool> changed(const Range& range) {
  std::vector<bool> has(range.nodes.size());
  for (std::uint32_t node = 0; node < has.size(); ++node) {
    has[node] = node == kCulprit;
    for (const auto parent : range.parents[node]) has[node] = has[node] || has[parent];
  }
  return has;
}

inline void pause_ms(double milliseconds) {
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(milliseconds));
}

class QuickBuilder : public engine::Builder {
 public:
  QuickBuilder(const Range& range, std::stop_token stop)
      : bad_(range.bad()), stop_(std::move(stop)) {}

  Result<Image> build(const KernelSpec& spec) override {
    pause_ms(3);
    if (stop_.stop_requested()) return fail(ErrorKind::interrupted, "interrupted in a build");
    const auto number = number_of(spec);
    const bool end = number == 0 || number == bad_;
    if (!end && number % 13 == 5) return fail(ErrorKind::skip_build, "error: does not compile");
    Image image;
    image.build_key = image.signature = "sig-" + spec.commit.hex;
    image.build_seconds = 0.003;
    return image;
  }

 private:
  std::uint32_t bad_;
  std::stop_token stop_;
};

class QuickLab : public engine::Lab {
 public:
  /// Writes a line to `acknowledged` for each sample that the sink has taken: what makes its boot
  /// unique (found again in user_ns), and its chunk.
  QuickLab(const Range& range, int acknowledged, std::stop_token stop)
      : changed_(changed(range)), acknowledged_(acknowledged), stop_(std::move(stop)) {}

  void watch(const engine::Prober& prober) { prober_ = &prober; }

  Boot boot(const engine::BootRequest& request, engine::SampleSink& sink) override {
    const int earlier = complete_boots_of(request.spec);
    const auto tag = std::chrono::steady_clock::now().time_since_epoch().count();
    Boot boot;
    boot.machine = request.machine;
    boot.domain = "fake";
    boot.wall_seconds = 0.01;
    boot.handshake = Handshake{};
    boot.handshake->build_id = request.image.signature;
    if (!sink.handshake(*boot.handshake)) return host_fault(boot);
    for (int chunk = 0; chunk < kChunks; ++chunk) {
      pause_ms(0.5);
      if (stop_.stop_requested()) {
        boot.outcome = BootOutcome::interrupted;
        return boot;
      }
      auto next = sample(number_of(request.spec), earlier, chunk);
      next.user_ns = tag;
      if (!sink.sample(next)) return host_fault(boot);
      const auto line = std::to_string(tag) + " " + std::to_string(chunk) + "\n";
      if (::write(acknowledged_, line.data(), line.size()) < 0) return host_fault(boot);
    }
    boot.outcome = BootOutcome::complete;
    return boot;
  }

 private:
  static Boot host_fault(Boot boot) {
    boot.outcome = BootOutcome::infra;
    boot.reason = "the results cannot be written";
    return boot;
  }

  int complete_boots_of(const KernelSpec& spec) const {
    int count = 0;
    for (const auto& record : prober_->history().boots)
      count += record.boot.outcome == BootOutcome::complete && record.spec == spec ? 1 : 0;
    return count;
  }

  Sample sample(std::uint32_t number, int earlier, int chunk) const {
    std::mt19937_64 random(number * 1000 + static_cast<std::uint64_t>(earlier));
    const double rate =
        (changed_[number] ? 80 : 100) * std::exp(std::normal_distribution<double>(0, 0.01)(random));
    Sample sample;
    sample.metric = "m";
    sample.chunk = chunk;
    sample.items = 10;
    sample.wall_ns = static_cast<std::int64_t>(10 * 1e9 / rate);
    return sample;
  }

  std::vector<bool> changed_;
  int acknowledged_;
  std::stop_token stop_;
  const engine::Prober* prober_ = nullptr;
};

}  // namespace bisect_run::test
