#pragma once

#include <string>
#include <vector>

namespace bisect_run::lab {

/// The kernel command line of a boot: our own arguments, the recipe's, then the variant's, in
/// which `{last}` becomes the number of the last vCPU.
std::string command_line(const std::vector<std::string>& base_args,
                         const std::vector<std::string>& variant_args, int cpus);

}  // namespace bisect_run::lab
