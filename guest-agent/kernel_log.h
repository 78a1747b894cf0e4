#pragma once

#include <string>

namespace bisect_run::agent {

/// What the kernel has logged so far, oldest first; from /dev/kmsg, or by syslog(2) before 3.5.
/// Both are independent of the console's level.
std::string kernel_log();

/// Warnings and worse go to the console, the rest does not: a warning is evidence, but a line for
/// each interface made would be printed in the middle of a measurement.
void set_console_level();

}  // namespace bisect_run::agent
