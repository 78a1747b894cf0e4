#pragma once

#include <cstdint>
#include <string>

#include "wire/messages.h"

namespace bisect_run::agent {

/// CLOCK_MONOTONIC, nanoseconds.
std::int64_t monotonic_ns();

/// The smallest step of CLOCK_MONOTONIC that shows within some 50 ms, nanoseconds: a tick of 4 ms
/// where the kernel has no better clock source than jiffies.
std::int64_t clock_step_ns();

/// The name of the current clock source; empty where the kernel does not say. `tsc-early` is given
/// as `tsc`: the same counter, until its rate has been refined in the first seconds of a boot.
std::string clocksource();

/// A moment, with what this process and its finished children have used so far.
struct Moment {
  std::int64_t wall_ns = 0;
  std::uint64_t tsc = 0;
  std::int64_t user_ns = 0, system_ns = 0, voluntary_switches = 0;
};

/// Usage is read outside of the timed span: before the clock at its start, after it at its end.
Moment start_moment();
Moment end_moment();

/// Fills in wall time, CPU times, switches and cycles spent from `start` to `end`.
void set_spent(wire::SampleMessage& sample, const Moment& start, const Moment& end);

}  // namespace bisect_run::agent
