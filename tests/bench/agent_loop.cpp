// rooms: agent
//
// What the agent adds to the system calls that it makes: loops in mode direct, run and timed as in
// a measurement, beside bare loops of the same calls; in turns, same kernel, same run. Held to a
// ratio of 1.05. As root.

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <linux/veth.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "child.h"
#include "clock.h"
#include "drain.h"
#include "netns.h"
#include "runner.h"
#include "support/bench_namespaces.h"

namespace agent = bisect_run::agent;
namespace wire = bisect_run::wire;
using bisect_run::test::median;

namespace {

constexpr int kRounds = 41, kSetns = 50'000;

struct Case {
  const char* name;
  int items;
  std::vector<wire::Step> setup;
  wire::Step ours;
  std::function<bool(int)> bare;
};

/// Nanoseconds an item.
struct Spent {
  double wall = 0, cpu = 0;
};

Spent spent_in(const wire::SampleMessage& sample, int items) {
  return {static_cast<double>(sample.wall_ns) / items,
          static_cast<double>(*sample.user_ns + *sample.system_ns) / items};
}

class KeepOne : public agent::SampleTaker {
 public:
  void take(const std::vector<wire::SampleMessage>& samples) override { one = samples.at(0); }
  wire::SampleMessage one;
};

wire::RunWorkload request_of(const Case& one) {
  return {
      .id = 1,
      .mode = "direct",
      .chunks = 1,
      .repetitions = 1,
      .workload = {.name = one.name,
                   .setup = one.setup,
                   .loops = {{.metric = "m", .marks = {one.items}, .count = 0, .each = {one.ours}}},
                   .teardown = {}}};
}

bool bare_netns(int home, int i) {
  char path[64];
  std::snprintf(path, sizeof path, "/run/netns/ns%d", i);
  ::mkdir("/run/netns", 0755);
  ::mount("", "/run/netns", "none", MS_SHARED | MS_REC, nullptr);
  ::close(::open(path, O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0));
  return ::unshare(CLONE_NEWNET) == 0 &&
         ::mount("/proc/self/ns/net", path, "none", MS_BIND, nullptr) == 0 &&
         agent::sys_setns(home, CLONE_NEWNET) == 0;
}

/// One message made beforehand; only the two names are written anew.
struct BareVeth {
  agent::Request request{RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL | NLM_F_ACK};
  char *name, *peer;

  BareVeth() {
    const auto end = [this] {
      return reinterpret_cast<char*>(request.message()) + request.message()->nlmsg_len;
    };
    const std::string room(7, '0');
    request.header(ifinfomsg{}).text(IFLA_IFNAME, room);
    name = end() - 8;
    const auto info = request.begin(IFLA_LINKINFO);
    request.text(IFLA_INFO_KIND, "veth");
    const auto data = request.begin(IFLA_INFO_DATA), nest = request.begin(VETH_INFO_PEER);
    request.header(ifinfomsg{}).text(IFLA_IFNAME, room);
    peer = end() - 8;
    request.end(nest).end(data).end(info);
  }

  bool add(int socket, int i) {
    std::snprintf(name, 8, "v%06d", i);
    std::snprintf(peer, 8, "w%06d", i);
    char answer[4096];
    if (::send(socket, request.message(), request.message()->nlmsg_len, 0) < 0 ||
        ::recv(socket, answer, sizeof answer, 0) < 0)
      return false;
    const auto* header = reinterpret_cast<const nlmsghdr*>(answer);
    return header->nlmsg_type == NLMSG_ERROR &&
           static_cast<const nlmsgerr*>(NLMSG_DATA(header))->error == 0;
  }
};

agent::Expected<Spent> time_ours(const Case& one) {
  KeepOne taker;
  std::atomic<std::int64_t> items = 0;
  AGENT_TRY(agent::run_workload(request_of(one), taker, items));
  return spent_in(taker.one, one.items);
}

agent::Expected<Spent> time_bare(const Case& one, agent::Netlink& netlink) {
  AGENT_TRY(agent::empty_guest(netlink));
  const agent::Moment start = agent::start_moment();
  for (int i = 0; i < one.items; ++i)
    if (!one.bare(i)) return agent::os_fault(one.name, errno);
  wire::SampleMessage sample;
  agent::set_spent(sample, start, agent::end_moment());
  AGENT_TRY(agent::empty_guest(netlink));  // as a workload does: both ways find the same kernel
  return spent_in(sample, one.items);
}

/// Neighbours in time are compared, and the median taken: the machine's own drift cancels.
agent::Outcome compare(const Case& one, agent::Netlink& netlink) {
  std::vector<double> ours, bare, wall, cpu;
  for (int round = 0; round <= kRounds; ++round) {
    const bool ours_first = round % 2;
    const auto early = ours_first ? time_ours(one) : time_bare(one, netlink);
    if (!early) return std::unexpected(early.error());
    const auto late = ours_first ? time_bare(one, netlink) : time_ours(one);
    if (!late) return std::unexpected(late.error());
    if (round == 0) continue;  // warms up
    const Spent &mine = ours_first ? *early : *late, &other = ours_first ? *late : *early;
    ours.push_back(mine.wall);
    bare.push_back(other.wall);
    wall.push_back(mine.wall / other.wall);
    cpu.push_back(mine.cpu / other.cpu);
  }
  std::printf("%-12s agent %9.0f ns, bare %9.0f ns, ratio %.3f, of CPU time %.3f\n", one.name,
              median(ours), median(bare), median(wall), median(cpu));
  std::fflush(stdout);
  return {};
}

agent::Outcome compare_all() {
  auto context = bisect_run::test::bench_context(agent::Mode::direct);
  if (!context) return std::unexpected(context.error());
  const auto home = agent::own_netns();
  if (!home) return std::unexpected(home.error());
  const auto holder = agent::NetnsHolder::make();
  if (!holder) return std::unexpected(holder.error());
  const std::string path = "/proc/" + std::to_string(holder->pid()) + "/ns/net";
  const agent::Fd other = agent::open_file(path.c_str(), O_RDONLY);
  BareVeth veth;
  const int route = context->netlink.fd();
  const auto text = [](const char* word) { return wire::ParameterValue(std::string(word)); };
  const Case cases[] = {
      {"setns",
       kSetns,
       {{"netns_add", {}}},
       {"setns", {{"among", std::int64_t{1}}}},
       [&](int i) {  // comes home with the last one
         const agent::Fd& place = i + 1 < kSetns ? other : *home;
         return agent::sys_setns(place.get(), CLONE_NEWNET) == 0;
       }},
      {"netns add", 50, {}, {"netns_add", {}}, [&](int i) { return bare_netns(home->get(), i); }},
      {"veth create",
       50,
       {},
       {"link_add", {{"kind", text("veth")}, {"prefix", text("v")}, {"peer", text("w")}}},
       [&](int i) { return veth.add(route, i); }}};
  for (const Case& one : cases) AGENT_TRY(compare(one, context->netlink));
  return {};
}

}  // namespace

int main() {
  const auto done = compare_all();
  return done ? 0 : bisect_run::test::give_up("agent_loop", done.error());
}
