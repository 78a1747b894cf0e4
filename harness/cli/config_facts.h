#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "report/facts.h"

namespace bisect_run::cli {

/// A .config by symbol, without CONFIG_; what is not set is not in it.
using ConfigValues = std::map<std::string, std::string, std::less<>>;

ConfigValues config_values(std::string_view text);
/// Of a file that may be gone from the cache: empty then.
ConfigValues config_values_of(const std::filesystem::path& file);

/// CONFIG_HZ, and the kind of preemption in words; empty where the configuration is not at hand.
std::string hz_of(const ConfigValues& values);
std::string preemption_of(const ConfigValues& values);

/// What the two do not have in common, by symbol. Versions of the compiler are left out.
std::vector<report::ConfigDifference> differences_between(const ConfigValues& first,
                                                          const ConfigValues& second);

}  // namespace bisect_run::cli
