#pragma once

#include <string>
#include <string_view>

namespace bisect_run::agent {

/// The CPU list of the kernel's own line about offloaded RCU callbacks, out of its log: `0-3`, or
/// `(none)` as the kernel writes it; empty without such a line. The wording changed over time:
/// `Experimental no-CBs CPUs: 0-3.` (about 3.8 to 3.13), `Offload RCU callbacks from CPUs: 0-3.`
/// since.
std::string offloaded_cpus(std::string_view log);

}  // namespace bisect_run::agent
