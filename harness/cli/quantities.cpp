#include "cli/quantities.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

namespace bisect_run::cli {
namespace {

constexpr double kLongest = 366.0 * 24 * 3600;

/// Takes a number off the front.
std::optional<double> take_number(std::string_view& text) {
  double number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc{} || !std::isfinite(number)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

std::optional<double> take_unit(std::string_view& text) {
  if (text.empty()) return std::nullopt;
  const char unit = text.front();
  text.remove_prefix(1);
  switch (unit) {
    case 's':
      return 1;
    case 'm':
      return 60;
    case 'h':
      return 3600;
    case 'd':
      return 24 * 3600;
    default:
      return std::nullopt;
  }
}

}  // namespace

Result<double> seconds_from(std::string_view text) {
  const auto wrong =
      fail(ErrorKind::usage,
           fmt::format("'{}' is no span of time of at most a year; write 90s, 45m, 6h, 1h30m or 2d",
                       text));
  double seconds = 0;
  for (auto rest = text; !rest.empty();) {
    const auto number = take_number(rest);
    if (!number || *number < 0) return wrong;
    const auto unit = take_unit(rest);
    if (!unit) return wrong;
    seconds += *number * *unit;
  }
  if (!(seconds > 0) || seconds > kLongest) return wrong;
  return seconds;
}

Result<double> share_from(std::string_view text) {
  auto rest = text;
  auto number = take_number(rest);
  if (number && rest == "%") {
    *number /= 100;
    rest = {};
  }
  if (!number || !rest.empty() || !(*number > 0) || !(*number < 1))
    return fail(ErrorKind::usage,
                fmt::format("'{}' is no share between 0 and 1; write 5% or 0.05", text));
  return *number;
}

}  // namespace bisect_run::cli
