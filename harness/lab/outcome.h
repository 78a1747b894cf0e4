#pragma once

#include <optional>
#include <string>

#include "lab/handshake.h"
#include "vm/domain.h"

namespace bisect_run::lab {

/// All that is known about how a boot ended, from every side.
struct Evidence {
  bool stopped = false;           ///< we were asked to stop
  std::string recorder_error;     ///< the samples could not be stored
  std::optional<Ending> session;  ///< what the session concluded, if anything
  vm::DomainEnd domain = vm::DomainEnd::running;
  bool channel_closed = false;  ///< and the VM is still there
  bool held = false;            ///< QEMU was stopped from outside at the end
  bool flooded = false;
  std::string panic, oops;  ///< lines of the console
  std::uint64_t console_bytes = 0, channel_bytes = 0;
  double cpu_seconds = 0;  ///< used by the VM since it was started
};

/// Who is to blame, and the sentence that says so. Our own and the host's faults come first: they
/// never speak against a kernel. Then what the kernel said itself, then what was observed.
Ending classify(const Evidence& evidence);

}  // namespace bisect_run::lab
