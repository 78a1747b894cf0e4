#pragma once

#include <string>

#include "netlink.h"

namespace bisect_run::agent {

/// Options of the team device with `index`, by generic netlink. The mode must be set before the
/// first port. 0 or an errno; ENOENT where the kernel has no team.
int set_team_mode(int index, const std::string& mode);
int set_team_active_port(int index, int port);

}  // namespace bisect_run::agent
