#pragma once

#include <algorithm>
#include <cstdio>
#include <vector>

#include <sched.h>

#include "isolation.h"
#include "operation.h"

// What benchmarks of the agent's operations share: namespaces of their own, and medians.

namespace bisect_run::test {

/// Moves this process into fresh network and mount namespaces, as `--here` measures in.
inline agent::Expected<agent::Context> bench_context(agent::Mode mode) {
  if (::unshare(CLONE_NEWNET | CLONE_NEWNS) != 0) return agent::fault("needs root");
  if (auto settled = agent::settle_in_namespaces({}); !settled)
    return std::unexpected(settled.error());
  auto netlink = agent::Netlink::open();
  if (!netlink) return std::unexpected(netlink.error());
  auto programs = agent::Programs::make();
  if (!programs) return std::unexpected(programs.error());
  return agent::Context{.mode = mode,
                        .netlink = std::move(*netlink),
                        .programs = std::move(*programs),
                        .ip = agent::find_program("ip")};
}

inline double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + values.size() / 2);
  return values[values.size() / 2];
}

inline int give_up(const char* bench, const agent::Fault& fault) {
  std::fprintf(stderr, "%s: %s\n", bench, fault.reason.c_str());
  return 1;
}

}  // namespace bisect_run::test
