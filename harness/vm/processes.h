#pragma once

#include <sys/types.h>

#include <vector>

namespace bisect_run::vm {

/// The numbers of all processes that /proc shows at this moment.
std::vector<pid_t> all_processes();

}  // namespace bisect_run::vm
