#include "counters.h"

#include <cstring>

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

namespace bisect_run::agent {
namespace {

struct Event {
  const char *name, *unit;
  std::uint32_t type;
  std::uint64_t config;
};

constexpr Event kEvents[] = {
    {"task-clock", "ns", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    {"context-switches", "count", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"cpu-migrations", "count", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    {"page-faults", "count", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"cycles", "count", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"stalled-cycles-frontend", "count", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
    {"stalled-cycles-backend", "count", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
    {"instructions", "count", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"branches", "count", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-misses", "count", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
};

Fd open_event(const Event& event) {
  perf_event_attr attributes;
  std::memset(&attributes, 0, sizeof attributes);
  attributes.type = event.type;
  attributes.size = PERF_ATTR_SIZE_VER0;  // old kernels refuse what they do not know
  attributes.config = event.config;
  attributes.disabled = 1;
  attributes.inherit = 1;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  constexpr int kThisProcess = 0, kAnyCpu = -1, kNoGroup = -1;
  return Fd(static_cast<int>(
      ::syscall(SYS_perf_event_open, &attributes, kThisProcess, kAnyCpu, kNoGroup, 0UL)));
}

std::optional<double> value_of(const Fd& fd) {
  struct {
    std::uint64_t count, enabled, running;
  } reading{};
  if (!fd || ::read(fd.get(), &reading, sizeof reading) != sizeof reading) return std::nullopt;
  if (reading.running == 0) return std::nullopt;  // never had a counter of the machine
  return static_cast<double>(reading.count) * static_cast<double>(reading.enabled) /
         static_cast<double>(reading.running);
}

}  // namespace

Counters::Counters() {
  for (const Event& event : kEvents)
    counters_.push_back({.name = event.name, .unit = event.unit, .fd = open_event(event)});
}

void Counters::start() {
  for (const Counter& counter : counters_)
    if (counter.fd) {
      ::ioctl(counter.fd.get(), PERF_EVENT_IOC_RESET, 0);
      ::ioctl(counter.fd.get(), PERF_EVENT_IOC_ENABLE, 0);
    }
}

void Counters::stop() {
  for (const Counter& counter : counters_)
    if (counter.fd) ::ioctl(counter.fd.get(), PERF_EVENT_IOC_DISABLE, 0);
}

std::vector<Output> Counters::read() const {
  std::vector<Output> outputs;
  for (const Counter& counter : counters_)
    outputs.push_back({counter.name, counter.unit, value_of(counter.fd)});
  return outputs;
}

}  // namespace bisect_run::agent
