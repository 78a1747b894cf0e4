// rooms: agent
//
// What the agent's loop adds to the system calls that it makes: `netns_add` in mode direct beside a
// bare loop of the same calls, in turns, same kernel, same run. Held to a ratio of 1.05. As root.

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "clock.h"
#include "drain.h"
#include "isolation.h"
#include "netns.h"
#include "operation.h"
#include "wire/operations.h"

namespace agent = bisect_run::agent;

namespace {

constexpr int kItems = 200, kRounds = 25;

void bare_add(int home, int i) {
  char path[64];
  std::snprintf(path, sizeof path, "/run/netns/ns%d", i);
  ::mkdir("/run/netns", 0755);
  ::mount("", "/run/netns", "none", MS_SHARED | MS_REC, nullptr);
  ::close(::open(path, O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0));
  ::unshare(CLONE_NEWNET);
  ::mount("/proc/self/ns/net", path, "none", MS_BIND, nullptr);
  agent::sys_setns(home, CLONE_NEWNET);
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + values.size() / 2);
  return values[values.size() / 2];
}

int fail(const agent::Fault& fault) {
  std::fprintf(stderr, "agent_loop: %s\n", fault.reason.c_str());
  return 1;
}

}  // namespace

int main() {
  if (::unshare(CLONE_NEWNET | CLONE_NEWNS) != 0) return fail({.reason = "needs root"});
  if (const auto settled = agent::settle_in_namespaces({}); !settled) return fail(settled.error());
  agent::Context context{.mode = agent::Mode::direct,
                         .netlink = std::move(*agent::Netlink::open()),
                         .programs = std::move(*agent::Programs::make()),
                         .ip = ""};
  bisect_run::wire::Step step{"netns_add", {}};
  (void)bisect_run::wire::complete(step);
  const auto home = agent::own_netns();
  if (!home) return fail(home.error());
  std::vector<double> ours, bare;
  for (int round = 0; round < 2 * kRounds; ++round) {
    if (const auto empty = agent::empty_guest(context.netlink); !empty) return fail(empty.error());
    const auto operation = agent::make_operation(step, context);
    if (!operation) return fail(operation.error());
    if (const auto ready = (*operation)->run(kItems); !ready) return fail(ready.error());
    const std::int64_t start = agent::monotonic_ns();
    for (int i = 0; i < kItems; ++i)
      if (round % 2)
        bare_add(home->get(), i);
      else if (const auto added = (*operation)->run(i); !added)
        return fail(added.error());
    const double ns = static_cast<double>(agent::monotonic_ns() - start) / kItems;
    (round % 2 ? bare : ours).push_back(ns);
  }
  // Neighbours in time are compared, and the median taken: the machine's own drift cancels.
  std::vector<double> ratios;
  for (std::size_t i = 0; i < ours.size(); ++i) ratios.push_back(ours[i] / bare[i]);
  std::printf("netns add, direct: agent %.0f ns, bare loop %.0f ns, ratio %.3f (%d rounds of %d)\n",
              median(ours), median(bare), median(ratios), kRounds, kItems);
  return 0;
}
