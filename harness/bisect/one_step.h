#pragma once

#include <memory>
#include <vector>

#include "bisect/strategy.h"
#include "model/commit.h"

// The two halves of a bisection that somebody else steers: the ends are told apart once, then one
// commit at a time is set beside them.

namespace bisect_run::bisect {

/// Boots the ends of `range` as a search would, and concludes as soon as they are told apart:
/// `commit` with BAD and the difference. Else it is refused.
std::unique_ptr<Strategy> make_ends_only(const Range& range, double min_effect);

/// A boot of an end from the calibration, on its clock.
struct KnownBoot {
  bool bad = false;
  double y = 0;
  double time_s = 0;
};

struct JudgingSettings {
  double min_effect = 0.02;
  double confidence = 0.999;  ///< a night of such verdicts is still 99 times in 100 right
  int most_boots = 40;        ///< of all kernels, after the calibration
};

/// The subject between two calibrated ends.
inline constexpr Node kSubject = 1;
/// GOOD, the subject, BAD, in a row: if the subject is bad the change is in it, else it comes
/// after.
Range judging_range(Commit good, Commit subject, Commit bad);

/// Judges the subject with the model of a search, in which the known boots are the first ones.
/// They tell how far the ends are apart and how much boots differ, but not where the levels are
/// now: the machine may have moved since, so the ends are booted again beside the subject.
/// Concludes `commit` with the subject (it is bad) or with BAD (it is good), `set` where it stays
/// undecided, `none` where it cannot be tested.
std::unique_ptr<Strategy> make_judging(const Range& range, std::vector<KnownBoot> known,
                                       const JudgingSettings& settings);

}  // namespace bisect_run::bisect
