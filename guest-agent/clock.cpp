#include "clock.h"

#include <algorithm>
#include <limits>

#include <sys/resource.h>
#include <time.h>
#include <x86intrin.h>

#include "sys.h"

namespace bisect_run::agent {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::int64_t kLook_ns = 50'000'000;
constexpr int kStepsEnough = 2000;
constexpr int kMostReadings = 10'000'000;  // of a clock that stands still

std::int64_t to_ns(const timeval& time) {
  return time.tv_sec * kSecond_ns + time.tv_usec * 1000;
}

void add_usage(Moment& moment, int who) {
  rusage usage{};
  ::getrusage(who, &usage);
  moment.user_ns += to_ns(usage.ru_utime);
  moment.system_ns += to_ns(usage.ru_stime);
  moment.voluntary_switches += usage.ru_nvcsw;
}

void add_usage(Moment& moment) {
  add_usage(moment, RUSAGE_SELF);
  add_usage(moment, RUSAGE_CHILDREN);
}

}  // namespace

std::int64_t monotonic_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * kSecond_ns + now.tv_nsec;
}

std::int64_t clock_step_ns() {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  const std::int64_t start = monotonic_ns();
  std::int64_t last = start;
  int steps = 0;
  for (int i = 0; i < kMostReadings && steps < kStepsEnough && last - start < kLook_ns; ++i) {
    const std::int64_t now = monotonic_ns();
    if (now <= last) continue;
    if (steps > 0) least = std::min(least, now - last);  // the first one began before we looked
    last = now;
    ++steps;
  }
  return least == std::numeric_limits<std::int64_t>::max() ? last - start : least;
}

std::string clocksource() {
  std::string name =
      read_file("/sys/devices/system/clocksource/clocksource0/current_clocksource", 128);
  while (!name.empty() && name.back() == '\n') name.pop_back();
  return name == "tsc-early" ? "tsc" : name;
}

Moment start_moment() {
  Moment moment;
  add_usage(moment);
  moment.wall_ns = monotonic_ns();
  moment.tsc = __rdtsc();
  return moment;
}

Moment end_moment() {
  Moment moment;
  moment.tsc = __rdtsc();
  moment.wall_ns = monotonic_ns();
  add_usage(moment);
  return moment;
}

void set_spent(wire::SampleMessage& sample, const Moment& start, const Moment& end) {
  sample.wall_ns = end.wall_ns - start.wall_ns;
  sample.user_ns = std::max<std::int64_t>(0, end.user_ns - start.user_ns);
  sample.system_ns = std::max<std::int64_t>(0, end.system_ns - start.system_ns);
  sample.voluntary_switches = end.voluntary_switches - start.voluntary_switches;
  // Counters of two CPUs may disagree; a span that seems to end before it began has no value.
  if (end.tsc >= start.tsc) sample.tsc_cycles = static_cast<std::int64_t>(end.tsc - start.tsc);
}

}  // namespace bisect_run::agent
