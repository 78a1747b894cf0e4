#pragma once

#include <string>

namespace bisect_run::agent {

/// Mounts what user space expects, as PID 1 of an initramfs that holds nothing but files. What
/// fails is named in the answer, one a line; nothing is given up for it.
std::string mount_everything();

}  // namespace bisect_run::agent
