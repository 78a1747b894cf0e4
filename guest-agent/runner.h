#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "sys.h"
#include "wire/messages.h"

namespace bisect_run::agent {

/// Where samples go.
class SampleTaker {
 public:
  virtual ~SampleTaker() = default;
  /// Returns when they have left the guest, so that sending never runs beside a measurement.
  virtual void take(const std::vector<wire::SampleMessage>& samples) = 0;
};

/// Runs one workload: per repetition an emptied and drained guest, setup, the measured loops,
/// teardown, and an emptied guest again. Samples are handed over after each mark interval. `items`
/// counts what the current loop has done. A fault names its operation; what was made before it is
/// taken down.
///
/// It deletes every network namespace name and virtual device that it finds: only for a guest, or
/// for namespaces of its own.
Outcome run_workload(const wire::RunWorkload& request, SampleTaker& taker,
                     std::atomic<std::int64_t>& items);

}  // namespace bisect_run::agent
