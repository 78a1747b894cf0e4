#pragma once

#include <thread>

namespace bisect_run::vm {

/// While it lives, reaps dead QEMUs that libvirt started as daemons: to examine them, or to run a
/// VM that then did not start. With adopted orphans nobody else does, and without them the
/// system's init may take seconds for each, which libvirt waits for.
class OrphanReaper {
 public:
  OrphanReaper();

 private:
  std::jthread thread_;
};

}  // namespace bisect_run::vm
