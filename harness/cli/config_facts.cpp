#include "cli/config_facts.h"

#include <array>
#include <fstream>
#include <iterator>
#include <utility>

namespace bisect_run::cli {
namespace {

constexpr std::uintmax_t kLargest = std::uintmax_t{4} << 20;

constexpr std::array<std::pair<const char*, const char*>, 5> kPreemption{
    {{"PREEMPT_RT", "PREEMPT_RT"},
     {"PREEMPT_RT_FULL", "PREEMPT_RT_FULL"},
     {"PREEMPT", "PREEMPT"},
     {"PREEMPT_VOLUNTARY", "PREEMPT_VOLUNTARY"},
     {"PREEMPT_NONE", "PREEMPT_NONE"}}};

std::string value_in(const ConfigValues& values, std::string_view symbol) {
  const auto found = values.find(symbol);
  return found == values.end() ? "n" : found->second;
}

/// These follow from the compiler that was found, not from what was asked for.
bool of_the_toolchain(std::string_view symbol) {
  for (const std::string_view prefix :
       {"CC_VERSION", "GCC_VERSION", "AS_VERSION", "LD_VERSION", "CC_HAS", "CC_CAN", "AS_HAS",
        "LD_IS", "CC_IS", "PAHOLE", "TOOLS_SUPPORT", "RUSTC", "HAVE_"})
    if (symbol.starts_with(prefix)) return true;
  return false;
}

}  // namespace

ConfigValues config_values(std::string_view text) {
  ConfigValues values;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto equals = line.find('=');
    if (!line.starts_with("CONFIG_") || equals == std::string_view::npos) continue;
    values.emplace(line.substr(7, equals - 7), line.substr(equals + 1));
  }
  return values;
}

ConfigValues config_values_of(const std::filesystem::path& file) {
  // The path is from the results file, which may be a stranger's: no device, no pipe, no giant.
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error) ||
      std::filesystem::file_size(file, error) > kLargest || error)
    return {};
  std::ifstream in(file, std::ios::binary);
  return config_values(std::string{std::istreambuf_iterator<char>(in), {}});
}

std::string hz_of(const ConfigValues& values) {
  const auto found = values.find("HZ");
  return found == values.end() ? std::string{} : found->second;
}

std::string preemption_of(const ConfigValues& values) {
  for (const auto& [symbol, words] : kPreemption)
    if (value_in(values, symbol) == "y") return words;
  return values.empty() ? std::string{} : "none";
}

std::vector<report::ConfigDifference> differences_between(const ConfigValues& first,
                                                          const ConfigValues& second) {
  ConfigValues all = first;
  all.insert(second.begin(), second.end());
  std::vector<report::ConfigDifference> differences;
  for (const auto& [symbol, value] : all) {
    if (of_the_toolchain(symbol)) continue;
    auto one = value_in(first, symbol), two = value_in(second, symbol);
    if (one != two) differences.push_back({symbol, std::move(one), std::move(two)});
  }
  return differences;
}

}  // namespace bisect_run::cli
