#include "lab/host_watch.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace bisect_run::lab {
namespace fs = std::filesystem;
namespace {

constexpr double kShortest_s = 0.5;

double clock_seconds(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct Mean {
  double sum = 0;
  int count = 0;
  void add(double value) {
    sum += value;
    ++count;
  }
  std::optional<double> value() const {
    return count > 0 ? std::optional(sum / count) : std::nullopt;
  }
};

/// The rate that cpufreq tells; where there is none (most VMs), that of /proc/cpuinfo.
std::optional<double> clock_rate_mhz() {
  Mean mean;
  std::error_code error;
  for (fs::directory_iterator it("/sys/devices/system/cpu", error), end; !error && it != end;
       it.increment(error)) {
    std::ifstream in(it->path() / "cpufreq/scaling_cur_freq");
    if (double khz = 0; in >> khz) mean.add(khz / 1000);
  }
  if (mean.count > 0) return mean.value();
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("cpu MHz"))
      if (const auto colon = line.find(':'); colon != line.npos)
        mean.add(std::strtod(line.c_str() + colon + 1, nullptr));
  return mean.value();
}

std::optional<double> load_average() {
  double load = 0;
  return ::getloadavg(&load, 1) == 1 ? std::optional(load) : std::nullopt;
}

}  // namespace

bool parse_cpu_times(std::string_view line, double ticks_per_second, HostReading& reading) {
  if (!line.starts_with("cpu ")) return false;
  line.remove_prefix(4);
  // user nice system idle iowait irq softirq steal; guest times are part of user and nice.
  std::array<double, 8> ticks{};
  for (auto& each : ticks) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), each);
    if (error != std::errc{}) return false;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  }
  const auto [user, nice, system, idle, iowait, irq, softirq, steal] = ticks;
  reading.busy = (user + nice + system + irq + softirq) / ticks_per_second;
  reading.steal = steal / ticks_per_second;
  reading.total = reading.busy + reading.steal + (idle + iowait) / ticks_per_second;
  return true;
}

HostReading read_host() {
  HostReading reading;
  std::ifstream stat("/proc/stat");
  std::string line;
  std::getline(stat, line);
  parse_cpu_times(line, static_cast<double>(::sysconf(_SC_CLK_TCK)), reading);
  reading.monotonic = clock_seconds(CLOCK_MONOTONIC);
  reading.boottime = clock_seconds(CLOCK_BOOTTIME);
  reading.mhz = clock_rate_mhz();
  reading.load = load_average();
  return reading;
}

HostConditions conditions_between(const HostReading& before, const HostReading& after,
                                  std::optional<double> vm_seconds) {
  HostConditions conditions;
  conditions.load = after.load;
  if (before.mhz && after.mhz) conditions.mhz = (*before.mhz + *after.mhz) / 2;
  const double awake = after.monotonic - before.monotonic;
  conditions.suspended_s = std::max(0.0, after.boottime - before.boottime - awake);
  const double total = after.total - before.total;
  if (awake < kShortest_s || total <= 0) return conditions;
  const auto share = [total](double seconds) { return std::clamp(seconds / total, 0.0, 1.0); };
  conditions.steal = share(after.steal - before.steal);
  if (vm_seconds) conditions.others = share(after.busy - before.busy - *vm_seconds);
  return conditions;
}

}  // namespace bisect_run::lab
