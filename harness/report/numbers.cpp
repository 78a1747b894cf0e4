#include "report/numbers.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

namespace bisect_run::report {
namespace {

/// Bytes of the UTF-8 character that begins `text`; 0 if it is broken or a control character.
std::size_t character(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const std::size_t size = first >= 0xf0 && first < 0xf5 ? 4
                           : first >= 0xe0               ? 3
                           : first >= 0xc2               ? 2
                                                         : 0;
  if (size == 0 || first >= 0xf5 || size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
  // U+0080 to U+009F are control characters too.
  const bool c1 = first == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0;
  return c1 ? 0 : size;
}

std::size_t length(std::string_view text) {
  std::size_t count = 0;
  for (const unsigned char byte : text) count += (byte & 0xc0) != 0x80;
  return count;
}

}  // namespace

std::string value_text(double value) {
  const double size = std::fabs(value);
  if (!std::isfinite(value)) return "-";
  if (size >= 9999.995) return fmt::format("{:.0f}", value);
  if (size >= 0.995 || size == 0) return fmt::format("{:.2f}", value);
  if (size >= 0.001) return fmt::format("{:.4f}", value);
  return fmt::format("{:.3g}", value);
}

std::string value_text(std::optional<double> value) {
  return value ? value_text(*value) : "-";
}

std::string ratio_text(double ratio) {
  if (!std::isfinite(ratio)) return "-";
  if (ratio >= 999.5) return fmt::format("{:.0f}", ratio);
  if (ratio >= 99.95) return fmt::format("{:.1f}", ratio);
  if (ratio >= 9.995) return fmt::format("{:.2f}", ratio);
  if (ratio >= 0.01) return fmt::format("{:.3f}", ratio);
  return fmt::format("{:#.2g}", ratio);
}

std::string bracketed_change(std::optional<double> base, std::optional<double> value) {
  if (!base || !value || *base == 0) return {};
  double ratio = *value / *base;
  if (!std::isfinite(ratio)) return {};
  if (ratio < 9.995) return fmt::format(" ({:+.0f}%)", (ratio - 1) * 100);
  const char* unit = "";
  for (const char* larger : {"k", "M", "G"}) {
    if (ratio < 999.5) break;
    ratio /= 1000;
    unit = larger;
  }
  return ratio < 999.5 ? fmt::format(" (x{:.0f}{})", ratio, unit) : " (x>999G)";
}

std::string percent_text(double relative) {
  return fmt::format("{:+.1f} %", relative * 100);
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::lround(std::max(0.0, seconds)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string trimmed(double value, int decimals) {
  auto text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string grouped(std::int64_t number) {
  auto digits = fmt::format("{}", number);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::string printable(std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    const auto size = character(text);
    safe += size > 0 ? text.substr(0, size) : "?";
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return safe;
}

std::string cut(std::string_view text, std::size_t width) {
  const auto safe = printable(text);
  if (length(safe) <= width || width == 0) return safe;
  std::size_t bytes = 0;
  for (std::size_t count = 0; count + 1 < width; ++count)
    bytes += character(std::string_view(safe).substr(bytes));
  return safe.substr(0, bytes) + "~";
}

std::string left(std::string_view text, std::size_t width) {
  auto padded = cut(text, width);
  padded.append(width - std::min(width, length(padded)), ' ');
  return padded;
}

std::string right(std::string_view text, std::size_t width) {
  const auto short_enough = cut(text, width);
  return std::string(width - std::min(width, length(short_enough)), ' ') + short_enough;
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  const auto safe = printable(text);
  std::string lines;
  std::size_t column = indent;  // the first line begins behind something
  for (std::size_t at = 0; at < safe.size();) {
    const auto end = std::min(safe.find(' ', at), safe.size());
    const auto word = safe.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    const bool first = column == indent;
    if (!first && column + 1 + length(word) > width) {
      lines += "\n" + std::string(indent, ' ') + word;
      column = indent + length(word);
    } else {
      lines += (first ? "" : " ") + word;
      column += length(word) + (first ? 0 : 1);
    }
  }
  return lines;
}

}  // namespace bisect_run::report
