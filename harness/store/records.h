#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/kernel.h"
#include "model/machine.h"
#include "model/run.h"
#include "model/verdict.h"

// What the results database gives back beside model/history.h.

namespace bisect_run::store {

/// Where a run was measured, and with what. Stored with the run; every sample leads here.
struct Provenance {
  std::string scenario_text;    ///< the whole YAML, as it was when the run began
  std::string scenario_digest;  ///< of what is measured; see model/scenario.h
  std::string agent_digest;
  std::string harness_version;
  std::string host;      ///< a digest of the host's name and machine id, never the name
  std::string host_cpu;  ///< model name of /proc/cpuinfo
  int host_cpus = 0;
  std::string host_kernel;    ///< uname -r
  std::string qemu, libvirt;  ///< versions
  std::string compiler;       ///< first line of `CC --version`

  bool operator==(const Provenance&) const = default;
};

struct RunRecord {
  std::string id;  ///< such as 20261130-141503-k3f9
  RunStatus status = RunStatus::running;
  RunRequest request;
  Provenance provenance;
  double started_at = 0;           ///< seconds since the epoch
  std::optional<double> ended_at;  ///< the same; null while it is running
  double elapsed = 0;              ///< on the run's clock, at the last thing recorded; seconds
  std::optional<Answer> answer;
  std::string message;  ///< why it was refused or failed; empty otherwise
  bool live = false;    ///< a controller is at work on it now
};

struct JournalLine {
  double at = 0;  ///< seconds on the run's clock
  std::string stage;
  std::string detail;
};

/// What a boot is started with.
struct BootStart {
  KernelSpec spec;
  std::string signature;  ///< of the image
  Machine machine;
  std::string scenario_digest;
};

}  // namespace bisect_run::store
