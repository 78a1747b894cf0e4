#pragma once

#include <cstdint>
#include <functional>

#include "sys.h"

namespace bisect_run::agent {

/// Threads that begin together. `threads` of 0 stands for one each online CPU.
class Crew {
 public:
  explicit Crew(std::int64_t threads);

  std::int64_t size() const { return size_; }
  /// Runs `work(i)` in thread i of size(), all starting at the same moment, and waits for all.
  /// The first fault is returned. A crew of one works in the calling thread, as a program with one
  /// thread would.
  Outcome run(const std::function<Outcome(std::int64_t)>& work);

 private:
  std::int64_t size_;
};

}  // namespace bisect_run::agent
