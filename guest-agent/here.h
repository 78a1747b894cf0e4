#pragma once

namespace bisect_run::agent {

/// The same service on this machine's own kernel: messages over stdin and stdout, every workload in
/// fresh network, mount and process namespaces. Nothing outlives it, however it ends. Returns the
/// exit status: 0 at the end of the input or when told to power off, 1 without root, 128 and the
/// number after a signal.
int run_here();

}  // namespace bisect_run::agent
