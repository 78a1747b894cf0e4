#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/host_conditions.h"
#include "model/machine.h"

namespace bisect_run {

/// How the life of one VM ended, seen from the bisection.
enum class BootOutcome {
  running,       ///< not over: found in the store only after the controller died; never votes
  complete,      ///< proven kernel, all numbers there
  panic,         ///< the guest panicked
  hang,          ///< silence on the console and the channel until the deadline
  gone,          ///< the VM ended by itself without a word
  wrong_kernel,  ///< build id, config or vCPUs are not those of the image
  variant_lost,  ///< the right kernel, but the variant did not take (offloaded CPUs)
  scenario_failed,  ///< an operation failed or is not available on this kernel
  protocol,      ///< the guest sent what no agent of ours sends
  infra,         ///< libvirt, QEMU or the host failed: never votes
  interrupted,   ///< we were stopped: never votes
  disturbed,     ///< all numbers there, but the host was not as it was at calibration: never votes
};

std::string_view to_string(BootOutcome outcome);
std::optional<BootOutcome> boot_outcome_from(std::string_view word);

/// One raw number with what was spent for it. Nothing here is rounded or derived.
struct Sample {
  std::string metric;
  std::int64_t mark = 0;         ///< items made when the interval ended; 0 without marks
  std::int32_t repetition = 0;
  std::int32_t chunk = 0;        ///< number within the mark interval
  std::int64_t items = 0;        ///< operations timed together
  std::int64_t wall_ns = 0;      ///< CLOCK_MONOTONIC
  std::optional<std::int64_t> user_ns, system_ns;   ///< null: the guest has no such counter
  std::optional<std::int64_t> voluntary_switches;
  std::optional<std::int64_t> tsc_cycles;
  std::string unit = "items/s";  ///< of the value derived from it
  std::optional<double> value;   ///< counters and others that are no rate; else derived from items and wall_ns
};

/// What the guest said of itself, checked against the image.
struct Handshake {
  std::string release, build_id, config_digest, cmdline, agent_digest;
  int cpus = 0;
  std::string clocksource;
  std::int64_t clock_resolution_ns = 0;
  std::string offloaded;         ///< CPU list of the kernel's own log line; empty without one
  double boot_seconds = 0;       ///< from creating the domain to this message
};

/// One VM life: what ran, on what, how it ended.
struct Boot {
  std::string domain;
  Machine machine;
  std::string cmdline;
  BootOutcome outcome = BootOutcome::running;
  std::string reason;            ///< for a person; of a complete boot: what its kernel does not have
  std::optional<Handshake> handshake;
  std::string console_tail;      ///< at most 4 KiB, made printable
  double wall_seconds = 0;       ///< whole life
  double destroy_seconds = 0;    ///< libvirt's share at the end
  std::optional<HostConditions> host;  ///< null: not looked at
};

}  // namespace bisect_run
