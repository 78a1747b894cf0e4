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

/// The mean without the worst max(1, n/5) values; a single value is itself.
std::optional<double> trimmed_mean(std::span<const double> values, Better better);

/// The samples of one boot as one number: the median from seven samples on, the trimmed mean below
/// (statistics.md, section 2).
std::optional<double> boot_value(std::span<const double> samples, Better better);

/// A boot's place on the logarithmic scale on which decisions are made: +ln of boot_value where
/// higher is better, -ln where lower is better, so that worse is always lower. Nothing for a value
/// that is not positive: such a boot does not vote.
std::optional<double> log_level(std::span<const double> samples, Better better);

}  // namespace bisect_run::stats
