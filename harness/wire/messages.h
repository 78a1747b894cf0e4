#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "wire/workload.h"

// Newline-delimited JSON between host and agent, on a channel of its own. Each message is one line
// of at most `kMaxLine` bytes. The host reads lines from a hostile kernel: decoding never throws,
// and accepts only known types, known fields of the right type, and bounded numbers and strings.

namespace bisect_run::wire {

inline constexpr int kProtocol = 1;
inline constexpr std::size_t kMaxLine = 64 * 1024;

// ---- host to agent ----

/// Run one workload. The agent answers with samples, then `done` or `failed`, all with this id.
struct RunWorkload {
  std::int64_t id = 0;
  std::string mode;
  int chunks = 9;
  int repetitions = 1;
  Workload workload;
};
/// Sent every few seconds; an agent that hears nothing for `kHostSilence_s` powers off.
struct Ping {};
/// The work is over: power off.
struct PowerOff {};
using HostMessage = std::variant<RunWorkload, Ping, PowerOff>;

inline constexpr int kHostSilence_s = 60;

// ---- agent to host ----

/// The first message of a boot: the proof of which kernel runs. Sent again every five seconds until
/// the host has said something (bytes sent to a serial port before the host opened it are lost);
/// the host takes the first.
struct Hello {
  int protocol = kProtocol;
  std::string agent_digest;   ///< of the agent's own file, /init
  std::string release;        ///< uname -r
  std::string build_id;       ///< GNU build id of /sys/kernel/notes, hex; empty where it is absent
  std::string config_digest;  ///< of the unpacked /proc/config.gz; empty where it is absent
  std::string cmdline;        ///< /proc/cmdline
  int cpus = 0;               ///< online
  std::string clocksource;
  std::int64_t clock_resolution_ns = 0;  ///< smallest step seen of CLOCK_MONOTONIC
  std::string
      offloaded;  ///< CPU list of the kernel's own log line, "" without one, "(none)" as it is
  std::string
      rcu_threads;  ///< names of rcuo* kernel threads, space separated, bounded: a second witness
};
/// Sent at least every two seconds while a workload runs.
struct Heartbeat {
  std::int64_t id = 0;
  std::int64_t items = 0;  ///< done so far in the current loop
};
struct SampleMessage {
  std::int64_t id = 0;
  std::string metric;
  std::int64_t mark = 0;
  std::int32_t repetition = 0;
  std::int32_t chunk = 0;
  std::int64_t items = 0;
  std::int64_t wall_ns = 0;
  std::optional<std::int64_t> user_ns, system_ns, voluntary_switches, tsc_cycles;
  std::string unit = "items/s";
  std::optional<double> value;  ///< for what is no rate: counters
  bool not_supported = false;   ///< a counter this guest does not have: stored as null
};
struct Done {
  std::int64_t id = 0;
  std::string clocksource;  ///< read again after the measurement
};
struct Failed {
  std::int64_t id = 0;
  std::string op;
  std::string reason;  ///< at most 1 KiB
  bool unavailable =
      false;  ///< this kernel does not have it (ENOSYS, EOPNOTSUPP, missing module …)
};
using GuestMessage = std::variant<Hello, Heartbeat, SampleMessage, Done, Failed>;

std::string encode(const HostMessage& message);   ///< one line with its newline
std::string encode(const GuestMessage& message);  ///< one line with its newline
/// The error says what is wrong with the line, in words fit for a log.
std::expected<HostMessage, std::string> decode_host(std::string_view line);
std::expected<GuestMessage, std::string> decode_guest(std::string_view line);

}  // namespace bisect_run::wire
