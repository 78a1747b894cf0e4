#pragma once

#include <optional>
#include <string>
#include <string_view>

// Numbers and texts as reports print them: plain ASCII where they are ours.

namespace bisect_run::report {

inline constexpr std::size_t kWidth = 78;

/// A measured value: two decimals from 1 to 9999, more below, none above.
std::string value_text(double value);
/// The same with `-` for a missing one.
std::string value_text(std::optional<double> value);
/// `0.050`: three decimals, two significant digits below a hundredth.
std::string ratio_text(double ratio);
/// A relative change as `-94.2 %`.
std::string percent_text(double relative);
/// ` (-92%)`, and from ten times on ` (x14)`, ` (x14k)`: at most 8 characters. Nothing without a
/// number on either side.
std::string bracketed_change(std::optional<double> base, std::optional<double> value);
/// `45 s`, `12 min 05 s`, `3 h 05 min`.
std::string duration_text(double seconds);
/// At most `decimals` decimals, without zeros at the end.
std::string trimmed(double value, int decimals);
/// `121,669,943,013`
std::string grouped(std::int64_t number);

/// A foreign text made safe for a terminal: control characters and broken UTF-8 become `?`.
std::string printable(std::string_view text);
/// At most `width` characters, `~` in the place of what was cut off.
std::string cut(std::string_view text, std::size_t width);
std::string left(std::string_view text, std::size_t width);
std::string right(std::string_view text, std::size_t width);
/// Words of `text` in lines of at most `width`, all but the first behind `indent` blanks. A word
/// that is longer stays whole.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width = kWidth);

}  // namespace bisect_run::report
