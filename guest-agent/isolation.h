#pragma once

#include "sys.h"
#include "wire/workload.h"

namespace bisect_run::agent {

/// Makes the fresh mount and process namespaces of the calling process its own: nothing mounted
/// from here on is seen outside, /run is private and empty, /proc and /sys show what is inside.
/// Everything in them goes with the last process. Modules that the workload needs are loaded first,
/// so that none of them makes a device.
Outcome settle_in_namespaces(const wire::Workload& workload);

}  // namespace bisect_run::agent
