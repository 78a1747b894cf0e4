#pragma once

#include <optional>
#include <span>

// Many numbers to one. Every function here answers nothing for an empty input and for an input
// that holds a NaN or an infinity: half a set of numbers is no set of numbers.

namespace bisect_run::stats {

/// The middle value, or the mean of the two in the middle.
std::optional<double> median(std::span<const double> values);

std::optional<double> mean(std::span<const double> values);

/// Unbiased; nothing below two values.
std::optional<double> variance(std::span<const double> values);

/// For rates over equal amounts of work. Nothing unless all values are positive.
std::optional<double> harmonic_mean(std::span<const double> values);

/// Which way is better for a metric.
enum class Better { higher, lower };

}  // namespace bisect_run::stats
