#pragma once

namespace bisect_run::agent {

/// PID 1 of a guest: sets the guest up, serves the host, ends the machine. Never returns.
[[noreturn]] void run_as_init();

}  // namespace bisect_run::agent
