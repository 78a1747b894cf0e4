#pragma once

#include <sys/types.h>

#include "model/error.h"
#include "model/unique_fd.h"
#include "process/run.h"

namespace bisect_run::process {

/// A started child that leads a process group of its own number.
struct Child {
  pid_t pid = -1;
  UniqueFd exited;  ///< a pidfd: readable when the child has ended
  UniqueFd output;  ///< reading end of the pipe that is its stdout and stderr; non-blocking
};

/// Starts what `spec` says. The caller must reap the child.
Result<Child> spawn(const Spec& spec);

}  // namespace bisect_run::process
