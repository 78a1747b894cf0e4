#include "bisect/posterior_calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stats/distributions.h"

namespace bisect_run::bisect {
namespace {

constexpr std::size_t kPilotPairs = 5;  // s0 is settled with these
constexpr std::size_t kMorePairs = 3;
constexpr double kLookP = 0.002;  // two-sided, at every look
constexpr double kRefuseErrors = 2.6;
constexpr double kFloorShare = 0.1;  // of min_effect

double percent(double delta) {
  return 100 * std::expm1(delta);
}

}  // namespace

void Calibration::add(const stats::EndBoot& boot) {
  if (state_ != State::more) return;
  boots_.push_back(boot);
  ++(boot.bad ? bad_ : good_);
  if (pairs() >= next_look_) look_now();
}

bool Calibration::next_is_bad() const {
  if (good_ != bad_) return bad_ < good_;
  return good_ % 2 == 1;
}

void Calibration::look_now() {
  const std::size_t now = pairs();
  const double floor =
      std::max(kFloorShare * settings_.min_effect, settings_.resolution / std::sqrt(12));
  if (now <= kPilotPairs) s0_ = stats::pilot_sd(boots_, floor);
  look_ = stats::look_at_ends(boots_, 2 * s0_ * s0_);
  next_look_ = now < kPilotPairs ? kPilotPairs : now + kMorePairs;
  next_look_ = std::min(next_look_, static_cast<std::size_t>(std::max(1, settings_.most_pairs)));

  const double size = std::abs(look_.delta);
  if (now < kPilotPairs && now < static_cast<std::size_t>(settings_.most_pairs)) {
    if (stats::plainly_apart(boots_, floor)) {
      state_ = State::apart;
      far_apart_ = !stats::flat_ends(boots_, floor);
    }
  } else if (size + kRefuseErrors * look_.error < settings_.min_effect) {
    refuse(
        fmt::format("no difference of {:.3g} % or more between the ends. {}. A smaller one needs "
                    "a smaller --min-effect",
                    100 * settings_.min_effect, found()));
  } else {
    const double freedom = std::max(1.0, static_cast<double>(boots_.size()) - 2);
    const double needed = stats::student_quantile(1 - kLookP / 2, freedom).value_or(1e9);
    if (size > needed * look_.error) {
      state_ = State::apart;
    } else if (now >= static_cast<std::size_t>(settings_.most_pairs)) {
      const double ratio = needed * look_.error / std::max(size, settings_.min_effect);
      refuse(
          fmt::format("the ends cannot be told apart within {} boots each. {}. A difference of "
                      "that size would need about {:.0f} boots each, or a quieter machine",
                      now, found(), std::ceil(static_cast<double>(now) * ratio * ratio)));
    }
  }
  if (state_ == State::apart && look_.delta > 0)
    refuse(
        fmt::format("BAD is not worse than GOOD but better. {}. If that change is the one sought, "
                    "use --find-fix",
                    found()));
}

void Calibration::refuse(std::string why) {
  state_ = State::refused;
  reason_ = std::move(why);
}

double Calibration::interval_quantile() const {
  const double freedom = std::max(1.0, static_cast<double>(boots_.size()) - 2);
  return stats::student_quantile(0.975, freedom).value_or(2);
}

std::string Calibration::found() const {
  const double half = interval_quantile() * look_.error;
  return fmt::format(
      "BAD against GOOD: {:+.2f} %, 95 % interval {:+.2f} to {:+.2f} %, {} boots each, one boot "
      "varies by {:.2f} %",
      percent(look_.delta), percent(look_.delta - half), percent(look_.delta + half), pairs(),
      100 * std::sqrt(look_.sigma2));
}

stats::Prior Calibration::prior() const {
  stats::Prior prior;
  prior.b0 = 2 * s0_ * s0_;
  const double scaled = 1.5 * look_.delta;
  prior.kappa = std::max(1.0, scaled * scaled / look_.sigma2);
  return prior;
}

}  // namespace bisect_run::bisect
