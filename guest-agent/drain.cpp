#include "drain.h"

#include <cerrno>

#include <sys/wait.h>
#include <time.h>

#include "child.h"
#include "clock.h"
#include "links.h"
#include "netns.h"

namespace bisect_run::agent {
namespace {

constexpr std::int64_t kDeadline_ns = 60'000'000'000;
constexpr const char* kWitness = "br-witness";
constexpr const char* kWitnessPeer = "br-witness-in";

void nap(long milliseconds) {
  const timespec time{0, milliseconds * 1'000'000};
  ::nanosleep(&time, nullptr);
}

Outcome too_late() {
  return fault("dead network namespaces were not torn down within 60 s");
}

/// Lives until the namespace it reaches into is gone.
Outcome outlive_witness(Netlink& netlink) {
  auto holder = NetnsHolder::make();
  if (!holder) return std::unexpected(holder.error());
  if (const int error =
          add_veth(netlink, kWitness, kWitnessPeer, {.netns_fd = -1, .netns_pid = holder->pid()}))
    return os_fault("adding a veth witness", error);
  holder->release();
  const std::int64_t deadline = monotonic_ns() + kDeadline_ns;
  while (find_link(netlink, kWitness) != ENODEV) {
    if (monotonic_ns() > deadline) return too_late();
    nap(1);
  }
  return {};
}

/// The line of the slab of network namespaces: its counts move while one dies.
std::string slab_line() {
  const std::string info = read_file("/proc/slabinfo");
  const std::size_t at = info.find("net_namespace");
  return at == std::string::npos ? std::string() : info.substr(at, info.find('\n', at) - at);
}

Outcome slab_stands_still() {
  constexpr int kStill = 50;  // looks, 10 ms apart
  const std::int64_t deadline = monotonic_ns() + kDeadline_ns;
  std::string last = slab_line();
  for (int still = 0; still < kStill; ++still) {
    nap(10);
    std::string now = slab_line();
    if (now != last) still = 0;
    last = std::move(now);
    if (monotonic_ns() > deadline) return too_late();
  }
  return {};
}

}  // namespace

Outcome drain_netns(Netlink& netlink) {
  for (int round = 0; round < 2; ++round) {
    const Outcome gone = outlive_witness(netlink);
    if (gone) continue;
    return gone.error().unavailable ? slab_stands_still() : gone;
  }
  return {};
}

Outcome empty_guest(Netlink& netlink) {
  AGENT_TRY(delete_all_netns());
  AGENT_TRY(drain_netns(netlink));
  AGENT_TRY(delete_all_links(netlink));
  return {};
}

}  // namespace bisect_run::agent
