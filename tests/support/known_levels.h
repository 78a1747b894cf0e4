#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/bisect_world.h"

// What strategies C to E of the decision benchmark take as known once both ends were booted, and
// what they do about drift (statistics.md, section 15).

namespace bisect_run::test {

/// The levels of the ends, and the variance of a boot, as five boots of each show them.
struct KnownLevels {
  double good = 0, bad = 0, variance = 0;
};

/// Builds both ends and boots them in five pairs in ABBA order.
inline KnownLevels know_levels(BisectWorld& world, Node last) {
  world.build(0);
  world.build(last);
  std::vector<double> good, bad;
  for (int pair = 0; pair < 5; ++pair) {
    const bool bad_first = pair % 2 == 1;
    if (bad_first) bad.push_back(world.boot(last));
    good.push_back(world.boot(0));
    if (!bad_first) bad.push_back(world.boot(last));
  }
  const auto mean = [](const std::vector<double>& values) {
    double sum = 0;
    for (double value : values) sum += value;
    return sum / static_cast<double>(values.size());
  };
  KnownLevels levels{mean(good), mean(bad)};
  double squares = 2 * 0.02 * 0.02;
  for (double y : good) squares += (y - levels.good) * (y - levels.good);
  for (double y : bad) squares += (y - levels.bad) * (y - levels.bad);
  levels.variance = squares / (2 * 4 + 2);
  return levels;
}

/// Boots of GOOD and BAD in turn, between the others.
class Controls {
 public:
  Controls(Node last, const KnownLevels& levels) : last_(last), levels_(levels) {}

  /// How far the machine is off the known levels, by one boot.
  double boot(BisectWorld& world) {
    bad_next_ = !bad_next_;
    return bad_next_ ? world.boot(0) - levels_.good : world.boot(last_) - levels_.bad;
  }

 private:
  Node last_;
  KnownLevels levels_;
  bool bad_next_ = false;
};

/// The machine's level as a random walk seen through control boots: a Kalman filter of one number
/// that trusts no boot further than three standard deviations.
class TrackedLevel {
 public:
  TrackedLevel(double now, double boot_variance)
      : time_(now), boot_variance_(boot_variance), variance_(boot_variance / 10) {}

  void advance(double now) {
    variance_ += kWalk * (now - time_);
    time_ = now;
  }
  bool stale() const { return variance_ > 0.3 * boot_variance_; }
  void observe(double offset) {
    const double trusted = 3 * std::sqrt(variance_ + boot_variance_);
    const double gain = variance_ / (variance_ + boot_variance_);
    level_ += gain * std::clamp(offset - level_, -trusted, trusted);
    variance_ *= 1 - gain;
  }
  double level() const { return level_; }
  double variance() const { return variance_; }

 private:
  static constexpr double kWalk = 0.03 * 0.03 / 28800;  ///< variance per second

  double time_, boot_variance_, variance_;
  double level_ = 0;
};

}  // namespace bisect_run::test
