#pragma once

#include <optional>
#include <string_view>

#include "model/host_conditions.h"

namespace bisect_run::lab {

/// What the host's kernel counts, at one moment. Times in seconds since the host started.
struct HostReading {
  double total = 0;      ///< CPU time of all CPUs, idle included
  double busy = 0;       ///< of it, used by anybody
  double steal = 0;      ///< of it, taken by a hypervisor below
  double monotonic = 0;  ///< clock that stands while the host sleeps
  double boottime = 0;   ///< clock that goes on
  std::optional<double> mhz, load;
};

HostReading read_host();

/// The first line of /proc/stat (proc(5)) into `reading`; false where it is none.
/// `ticks_per_second` is sysconf(_SC_CLK_TCK).
bool parse_cpu_times(std::string_view line, double ticks_per_second, HostReading& reading);

/// What happened between two readings, `vm_seconds` of it being the VM's own CPU time (null:
/// unknown). An interval below half a second tells nothing of shares.
HostConditions conditions_between(const HostReading& before, const HostReading& after,
                                  std::optional<double> vm_seconds);

}  // namespace bisect_run::lab
