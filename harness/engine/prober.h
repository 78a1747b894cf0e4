#pragma once

#include <map>
#include <span>
#include <stop_token>
#include <string>

#include "engine/events.h"
#include "engine/ports.h"
#include "model/history.h"

namespace bisect_run::engine {

/// The world as the engine sees it.
struct Ports {
  Builder& builder;
  Lab& lab;
  Recorder& recorder;
  Clock& clock;
  Observer& observer;
  Source* source = nullptr;  ///< without one no revert is tested
};

/// Builds and boots, and records every fact before anyone uses it. Keeps the history current.
class Prober {
 public:
  Prober(Ports ports, History history, std::stop_token stop);

  /// The kernel's image; nothing if it does not build, which is recorded and is no error.
  /// Errors: infra and interrupted, after bounded retries.
  Result<const Image*> image(const KernelSpec& spec);

  /// Builds what is not built yet, at the same time where the builder can, while nothing is booted.
  /// Nothing is recorded before all are done, and then in the order of `specs`, so that the next
  /// decision does not depend on which was ready first. Errors: as for `image`.
  Status build_together(std::span<const KernelSpec> specs);

  /// One more boot. Its outcome is recorded whatever it was.
  /// Errors: infra and interrupted, after bounded retries.
  Result<BootRecord> boot(const KernelSpec& spec, const Machine& machine, const Scenario& scenario);

  const History& history() const { return history_; }
  Ports& ports() { return ports_; }

 private:
  Result<Image> build_with_retries(const KernelSpec& spec);
  Result<BootRecord> boot_once(const BootRequest& request);
  Status keep(const KernelSpec& spec, Result<Image> outcome);
  const BuildRecord* known(const std::string& key) const;

  Ports ports_;
  History history_;
  std::stop_token stop_;
  std::map<std::string, Image> ready_;  ///< images proven to be on disk in this process
};

/// A fault of the host is tried this often before the run stops and stays resumable.
inline constexpr int kInfraTries = 3;

}  // namespace bisect_run::engine
