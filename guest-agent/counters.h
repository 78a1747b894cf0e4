#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "operation.h"

namespace bisect_run::agent {

/// The counters of `perf stat`, over this process and the threads it starts while they run. A
/// counter that the kernel or the machine does not have is without a value, never 0.
class Counters {
 public:
  Counters();

  void start();
  void stop();
  /// One output a counter, in perf's order; scaled up where counters had to take turns.
  std::vector<Output> read() const;

 private:
  struct Counter {
    const char *name, *unit;
    Fd fd;  ///< empty: not supported
  };
  std::vector<Counter> counters_;
};

}  // namespace bisect_run::agent
