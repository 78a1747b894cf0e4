#include "config/size.h"

#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace bisect_run::config {
namespace {

constexpr std::array<std::pair<std::string_view, double>, 6> kUnits{{{"MB", 1e6},
                                                                     {"GB", 1e9},
                                                                     {"TB", 1e12},
                                                                     {"MiB", 1048576.0},
                                                                     {"GiB", 1073741824.0},
                                                                     {"TiB", 1099511627776.0}}};
constexpr double kLeast = 1e9, kMost = 1e14;

}  // namespace

Result<std::uint64_t> parse_size(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  for (const auto& [name, bytes] : kUnits) {
    if (error != std::errc{} || unit != name) continue;
    const double size = number * bytes;
    if (size >= kLeast && size <= kMost) return static_cast<std::uint64_t>(size);
    return fail(ErrorKind::usage, fmt::format("{:.40} is out of range; from 1 GB to 100 TB", text));
  }
  return fail(ErrorKind::usage,
              fmt::format("'{:.40}' is no size; a number with GB or GiB, such as 20 GB", text));
}

}  // namespace bisect_run::config
