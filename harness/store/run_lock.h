#pragma once

#include <cstdint>
#include <filesystem>
#include <set>

#include "model/error.h"

namespace bisect_run::store {

/// One byte a run in a file beside the database, locked by the controller that works on the run.
/// The kernel drops the lock when the process dies, however it dies.
class RunLocks {
 public:
  explicit RunLocks(std::filesystem::path database);
  ~RunLocks();
  RunLocks(const RunLocks&) = delete;
  RunLocks& operator=(const RunLocks&) = delete;

  /// False: somebody else holds it. Errors: infra.
  Result<bool> acquire(std::int64_t run);
  /// The same, but waits for a holder that was killed, for whose end a busy host may need seconds.
  Result<bool> acquire_from_dying(std::int64_t run);
  bool holds(std::int64_t run) const { return held_.contains(run); }
  /// Whether anybody, here or elsewhere, holds it; false where that cannot be found out.
  bool taken(std::int64_t run) const;

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
  std::set<std::int64_t> held_;
};

}  // namespace bisect_run::store
