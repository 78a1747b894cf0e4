#include "lab/host_tsc.h"

#include <time.h>
#include <x86intrin.h>

#include <cmath>
#include <fstream>
#include <string>

namespace bisect_run::lab {
namespace {

struct Reading {
  double ns;
  std::uint64_t cycles;
};

/// The tightest of several tries: an interruption between the two reads would falsify the rate.
Reading read_both() {
  Reading best{};
  std::uint64_t tightest = UINT64_MAX;
  for (int i = 0; i < 10; ++i) {
    timespec now{};
    const auto before = __rdtsc();
    ::clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    const auto after = __rdtsc();
    if (after - before >= tightest) continue;
    tightest = after - before;
    best = {static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec),
            before + (after - before) / 2};
  }
  return best;
}

bool counter_is_constant() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("flags"))
      return line.find(" constant_tsc") != line.npos && line.find(" nonstop_tsc") != line.npos;
  return false;
}

}  // namespace

std::optional<std::int64_t> host_tsc_khz() {
  if (!counter_is_constant()) return std::nullopt;
  const Reading first = read_both();
  const timespec pause{0, 20'000'000};
  ::nanosleep(&pause, nullptr);
  const Reading second = read_both();
  const double khz =
      static_cast<double>(second.cycles - first.cycles) / (second.ns - first.ns) * 1e6;
  return std::llround(khz / 100) * 100;
}

}  // namespace bisect_run::lab
