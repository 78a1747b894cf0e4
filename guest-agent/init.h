#pragma once

#include <string>

namespace bisect_run::agent {

/// After how many seconds of silence the host is gone, from the kernel's command line:
/// `bisect_agent.silence=0` waits for ever, as a virtual clock that races while the guest idles
/// needs it. Of several the last one counts, as everywhere on that line.
int silence_s(const std::string& cmdline);

/// PID 1 of a guest: sets the guest up, serves the host, ends the machine. Never returns.
[[noreturn]] void run_as_init();

}  // namespace bisect_run::agent
