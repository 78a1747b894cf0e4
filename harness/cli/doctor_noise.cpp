#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "cli/doctor.h"

namespace bisect_run::cli {
namespace {

constexpr int kSpins = 40;
constexpr double kBusy = 0.3;     ///< of the CPUs in use by others
constexpr double kUneven = 1.10;  ///< slow spins over usual ones

/// Seconds that the same piece of work takes, again and again.
std::vector<double> spin_times() {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  volatile std::uint64_t sink = 0;
  for (int spin = 0; spin < kSpins; ++spin) {
    const auto start = Clock::now();
    for (int i = 0; i < 4'000'000; ++i) sink = sink + static_cast<std::uint64_t>(i);
    times.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  return times;
}

}  // namespace

Findings check_noise(const Patient&) {
  double load = 0;
  if (getloadavg(&load, 1) != 1) load = 0;
  const auto cpus = std::max(1U, std::thread::hardware_concurrency());
  auto times = spin_times();
  std::ranges::sort(times);
  const double uneven = times[times.size() * 9 / 10] / times[times.size() / 2];
  const auto words = fmt::format(
      "load {:.1f} on {} CPUs; one spin in ten takes {:.2f} times as long as the usual "
      "one or more",
      load, cpus, uneven);
  if (load / cpus < kBusy && uneven < kUneven) return {{Finding::Level::fine, "noise", words}};
  return {{Finding::Level::note, "noise",
           words + ": others are at work here, so more boots will be needed; stop them, or pick a "
                   "quieter hour"}};
}

}  // namespace bisect_run::cli
