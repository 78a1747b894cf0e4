#include "lab/sample_clock.h"

#include <cmath>

#include <fmt/format.h>

namespace bisect_run::lab {
namespace {

constexpr std::int64_t kCoarse_ns = 1'000'000;

}  // namespace

void SampleClock::look_at(const wire::Hello& hello) {
  if (tsc_khz_ && hello.clock_resolution_ns >= kCoarse_ns) by_counter_ = true;
}

void SampleClock::label(Handshake& handshake) const {
  if (!by_counter_) return;
  handshake.clocksource =
      fmt::format("tsc at {} kHz; the guest's own is {}", *tsc_khz_, handshake.clocksource);
  handshake.clock_resolution_ns = 1;
}

bool SampleClock::retime(Sample& sample) const {
  // What an operation counts by itself has a value and no time at all.
  const bool timed = sample.user_ns || sample.tsc_cycles || sample.wall_ns > 0;
  if (!by_counter_ || !timed) return true;
  if (!sample.tsc_cycles) return false;
  sample.wall_ns =
      std::llround(static_cast<double>(*sample.tsc_cycles) * 1e6 / static_cast<double>(*tsc_khz_));
  return true;
}

}  // namespace bisect_run::lab
