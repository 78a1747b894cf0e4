#include "wire/operation_rows.h"

namespace bisect_run::wire {
namespace {

constexpr std::int64_t kLongestName = 15;
constexpr std::int64_t kMostThreads = 1024;

}  // namespace

std::vector<OperationSpec> traffic_rows() {
  return {
      {.name = "aggregate_add",
       .meaning = "Makes a bonding or team device over dummies, which drop at once what they are "
                  "given, and sets everything up. Meant for setup; the same calls in every mode.",
       .modes = {"process", "fork", "direct"},
       .parameters = {choice_parameter("kind", "which driver", {"bond", "team"}),
                      prefix_parameter("name", "whole name of the device", "agg0", kLongestName),
                      choice_parameter("policy", "how it chooses a port",
                                       {"round-robin", "active-backup"}),
                      integer_parameter("ports", "how many dummies below it", 1, 16, 2)},
       .outputs = {}},
      {.name = "transmit",
       .meaning = "Threads send packets through a device by packet sockets, all at once. What its "
                  "ports sent is counted, the rest is loss.",
       .modes = {"process", "fork", "direct"},
       .parameters = {prefix_parameter("device", "whole name of the device", "agg0", kLongestName),
                      integer_parameter("threads", "senders; 0 is one for each online CPU", 0,
                                        kMostThreads, 1),
                      integer_parameter("packets", "of each thread", 1, 1'000'000'000, 100'000),
                      integer_parameter("size", "bytes of a packet, Ethernet header included", 60,
                                        1514, 60)},
       .outputs = {"packets", "service_demand", "lost"}},
      {.name = "atomic_increment",
       .meaning = "Threads increment one shared variable atomically, all at once, as fast as they "
                  "can, while counters run as under `perf stat`.",
       .modes = {"process", "fork", "direct"},
       .parameters = {integer_parameter("threads", "threads; 0 is one for each online CPU", 0,
                                        kMostThreads, 1),
                      integer_parameter("increments", "of each thread", 1, 10'000'000'000,
                                        10'000'000)},
       .outputs = {"pair", "task-clock", "context-switches", "cpu-migrations", "page-faults",
                   "cycles", "stalled-cycles-frontend", "stalled-cycles-backend", "instructions",
                   "branches", "branch-misses"}},
  };
}

}  // namespace bisect_run::wire
