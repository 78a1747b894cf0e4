#pragma once

#include <span>

namespace bisect_run::stats {

/// A boot of one of the two ends.
struct EndBoot {
  double y = 0;
  double time_s = 0;
  bool bad = false;
};

/// What the boots of both ends say about their difference.
struct EndsLook {
  double delta = 0;   ///< BAD minus GOOD
  double error = 0;   ///< standard error of delta
  double sigma2 = 0;  ///< variance of a boot
};

/// y = mu + Delta [bad] + noise, in the cells without layout luck, mixed by their likelihoods
/// (statistics.md, section 7, step 2). `b0` is the prior scale of the variance, 2 s0^2. Needs a
/// boot of each end.
EndsLook look_at_ends(std::span<const EndBoot> boots, double b0);

/// The standard deviation that the prior starts from, learnt from the first pairs:
/// min(0.02, max(floor, 2 s_pilot)), where s_pilot^2 is the mean of the variances within the ends
/// (statistics.md, section 7, quiet machines). 0.02 below two boots an end.
double pilot_sd(std::span<const EndBoot> boots, double floor);

/// True where three boots an end leave nothing to ask. The medians of the ends lie at least 10
/// floors apart, and either no end varies by more than 3 floors (section 7, fast exit), or the gap
/// is at least 6 times the range within either end. Of equal ends with normal noise the second is
/// true in 291 of four million simulated sets of three pairs.
bool plainly_apart(std::span<const EndBoot> boots, double floor);

/// No end varies by more than 3 floors.
bool flat_ends(std::span<const EndBoot> boots, double floor);

}  // namespace bisect_run::stats
