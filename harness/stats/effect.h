#pragma once

#include <optional>
#include <span>

namespace bisect_run::stats {

struct Interval {
  double low = 0;
  double high = 0;
};

/// Difference of two levels, with an interval where there are boots enough for one.
struct Effect {
  double value = 0;
  std::optional<Interval> interval;
};

/// The change from `good` to `bad` on the scale of the inputs: difference of means, Welch's
/// interval. The inputs hold one number per boot; samples inside a boot are no replication.
/// Nothing if either side is empty or holds a NaN or an infinity; no interval below two boots a
/// side.
std::optional<Effect> difference(std::span<const double> good, std::span<const double> bad,
                                 double confidence = 0.95);

/// bad/good - 1 of two sets of boot values, each positive: -0.94 is 94 % less. Computed on
/// logarithms, so the centre is a ratio of geometric means and swapping the sides inverts it.
/// The interval excludes 0 exactly when difference() of the logarithms does.
std::optional<Effect> relative_effect(std::span<const double> good, std::span<const double> bad,
                                      double confidence = 0.95);

/// exp(x) - 1 applied to value and interval.
Effect to_relative(const Effect& log_effect);

}  // namespace bisect_run::stats
