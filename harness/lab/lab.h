#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "lab/session.h"
#include "model/boot.h"
#include "model/error.h"
#include "model/kernel.h"
#include "model/machine.h"
#include "model/scenario.h"
#include "vm/host.h"

namespace bisect_run::lab {

struct Settings {
  std::filesystem::path work;                    ///< initramfs archives
  std::filesystem::path agent;                   ///< static binary, packed as /init
  std::filesystem::path memory_of_accelerators;  ///< file; empty: proven anew each time
  Deadlines deadlines;
  std::function<void(std::string_view)> notice;  ///< what a person should know; may be empty
};

/// What is told while a boot runs, in its thread. A failing handshake or sample ends the boot as
/// our own fault.
struct Observer {
  std::function<Status(const Handshake&)> handshake;
  std::function<Status(const Sample&)> sample;
  /// Phases: boot, measure. The fraction is that of the phase, 0..1.
  std::function<void(std::string_view phase, double fraction)> progress;
};

/// Turns images into samples, one boot at a time.
class Lab {
 public:
  /// Errors: those of vm::Host::connect; infra when the agent is missing.
  static Result<Lab> open(Settings settings, vm::HostSettings host);
  Lab(Lab&&) noexcept;
  Lab& operator=(Lab&&) noexcept;
  ~Lab();

  /// `kvm` or `tcg` for wanted auto, kvm or tcg. KVM is believed only after `proof` has booted to
  /// the agent's hello with it; that is remembered until the host boots or QEMU changes.
  /// Errors: infra when KVM was asked for and does not work; usage for another word.
  Result<std::string> accelerator(const std::string& wanted, const Image& proof,
                                  const std::vector<std::string>& base_boot_args = {});

  /// Whether a guest on this machine, whose clock is virtual, comes up to the agent's hello: QEMU 7.2
  /// hangs when newer kernels start further CPUs under it. Errors: infra, with the ways out.
  Status prove_virtual_clock(const Image& proof, const Machine& machine,
                             const std::vector<std::string>& base_boot_args = {});

  /// Boots and measures. All that can go wrong is in Boot::outcome and reason.
  Boot boot(const Image& image, const Machine& machine, const Scenario& scenario,
            const std::vector<std::string>& base_boot_args, const Observer& observer,
            std::stop_token stop);

  const vm::HostFacts& host() const;
  const std::string& agent_digest() const;

 private:
  Boot trial_boot(const Image& proof, const Machine& machine,
                  const std::vector<std::string>& base_boot_args, double deadline_s);

  class Impl;
  explicit Lab(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace bisect_run::lab
