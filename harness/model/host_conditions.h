#pragma once

#include <optional>

namespace bisect_run {

/// What went on on the host while one boot lasted. What cannot be found out is null.
struct HostConditions {
  std::optional<double> load;  ///< load average of the last minute, at the end; the VM counts in it
  std::optional<double>
      others;                   ///< share of the host's CPU time that others than the VM used, 0..1
  std::optional<double> steal;  ///< share that a hypervisor below the host took away, 0..1
  std::optional<double> mhz;    ///< clock rate of the CPUs, mean over CPUs, start and end
  double suspended_s = 0;       ///< seconds that the host slept meanwhile

  bool operator==(const HostConditions&) const = default;
};

}  // namespace bisect_run
