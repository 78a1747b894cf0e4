#include "drain.h"

#include <cerrno>

#include <poll.h>
#include <sys/socket.h>
#include <time.h>

#include "clock.h"
#include "links.h"
#include "netns.h"

namespace bisect_run::agent {
namespace {

constexpr std::int64_t kDeadline_ns = 60'000'000'000;
constexpr int kLook_ms = 100;  // should the news be lost
constexpr const char* kWitness = "br-witness";
constexpr const char* kWitnessPeer = "br-witness-in";

void nap(long milliseconds) {
  const timespec time{0, milliseconds * 1'000'000};
  ::nanosleep(&time, nullptr);
}

Outcome too_late() {
  return fault("dead network namespaces were not torn down within 60 s");
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

Expected<Witness> Witness::place(Netlink& netlink) {
  auto holder = NetnsHolder::make();
  if (!holder) return std::unexpected(holder.error());
  auto news = Netlink::open(NETLINK_ROUTE, RTMGRP_LINK);
  if (!news) return std::unexpected(news.error());
  if (const int error =
          add_veth(netlink, kWitness, kWitnessPeer, {.netns_fd = -1, .netns_pid = holder->pid()}))
    return os_fault("adding a veth witness", error);
  return Witness(std::move(*holder), std::move(*news));
}

Outcome Witness::outlive(Netlink& netlink) {
  holder_.release();
  const std::int64_t deadline = monotonic_ns() + kDeadline_ns;
  while (find_link(netlink, kWitness) != ENODEV) {
    if (monotonic_ns() > deadline) return too_late();
    pollfd waiting{.fd = news_.fd(), .events = POLLIN, .revents = 0};
    ::poll(&waiting, 1, kLook_ms);
    char ignored[65536];
    while (::recv(news_.fd(), ignored, sizeof ignored, MSG_DONTWAIT) > 0) {
    }
  }
  return {};
}

Outcome drain_netns(Netlink& netlink) {
  for (int round = 0; round < 2; ++round) {
    auto witness = Witness::place(netlink);
    if (!witness && witness.error().unavailable) return slab_stands_still();
    if (!witness) return std::unexpected(witness.error());
    AGENT_TRY(witness->outlive(netlink));
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
