#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bisect_run::lab {

/// What the placeholders in boot arguments stand for.
struct BootPlaceholders {
  int cpus = 1;                         ///< {last}: the number of the last vCPU
  std::optional<std::int64_t> tsc_khz;  ///< {tsc_khz}: an argument with it goes when unknown
};

/// The kernel command line of a boot: our own arguments, the recipe's, then the variant's.
std::string command_line(const std::vector<std::string>& base_args,
                         const std::vector<std::string>& variant_args,
                         const BootPlaceholders& placeholders);

}  // namespace bisect_run::lab
