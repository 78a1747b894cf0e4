// rooms: agent
//
// Mode process beside the shell loops that it stands for (`ip` started per action, as in the
// threads of 2011 and 2014) and beside `ip -batch`, which starts it once: in turns, same kernel,
// same run. Ours is held to a ratio of 1.0 to the shell. As root, with iproute2 and /bin/sh.

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>

#include "clock.h"
#include "drain.h"
#include "operation.h"
#include "support/bench_namespaces.h"
#include "wire/operations.h"

namespace agent = bisect_run::agent;
namespace wire = bisect_run::wire;
using bisect_run::test::median;

namespace {

constexpr int kItems = 20, kRounds = 41;
/// Before the clock starts, in each way alike: a shell comes up, and the kernel's deferred work on
/// what was just made (link watch, addresses) is over.
constexpr useconds_t kSettle_us = 20'000;

/// One thing done to item i, in three ways; {} stands for the number.
struct Action {
  const char* name;
  wire::Step ours;
  std::string arguments;             ///< of `ip`
  std::vector<wire::Step> before{};  ///< once for all items
};

std::vector<Action> actions() {
  const wire::ParameterValue v = std::string("v"), veth = std::string("veth"), w = std::string("w"),
                             lo_up = std::string("lo_up"), all = std::int64_t{kItems};
  const wire::Step pairs{"link_add", {{"kind", veth}, {"prefix", v}, {"peer", w}, {"count", all}}};
  return {
      {"netns add", {"netns_add", {}}, "netns add ns{}"},
      {"netns exec, lo up",
       {"netns_exec", {{"do", lo_up}}},
       "netns exec ns{} ip link set lo up",
       {{"netns_add", {{"count", all}}}}},
      {"veth create",
       {"link_add", {{"kind", veth}, {"prefix", v}, {"peer", w}}},
       "link add v{} type veth peer name w{}"},
      {"address add", {"address_add", {{"prefix", v}}}, "addr add 10.0.{}.1/24 dev v{}", {pairs}},
      {"veth delete", {"link_delete", {{"prefix", v}}}, "link delete dev v{}", {pairs}},
  };
}

std::string numbered(std::string text, const std::string& number) {
  for (std::size_t at; (at = text.find("{}")) != std::string::npos;) text.replace(at, 2, number);
  return text;
}

agent::Outcome run(wire::Step step, agent::Context& context, int items) {
  if (const auto wrong = wire::complete(step)) return agent::fault(wrong->message);
  const auto operation = agent::make_operation(step, context);
  if (!operation) return std::unexpected(operation.error());
  for (int i = 0; i < items; ++i) AGENT_TRY((*operation)->run(i));
  return {};
}

agent::Outcome in_agent(const Action& action, agent::Context& context, std::int64_t& start) {
  ::usleep(kSettle_us);
  start = agent::monotonic_ns();
  return run(action.ours, context, kItems);
}

/// The shell's own start is not counted: it waits for a line.
agent::Outcome in_shell(const Action& action, std::int64_t& start) {
  const std::string script =
      fmt::format("read go; i=0; while [ $i -lt {} ]; do ip {} || exit 1; i=$((i+1)); done", kItems,
                  numbered(action.arguments, "$i"));
  FILE* shell = ::popen(("sh -c '" + script + "'").c_str(), "w");
  if (!shell) return agent::fault("popen");
  ::usleep(kSettle_us);
  start = agent::monotonic_ns();
  std::fputs("go\n", shell);
  if (::pclose(shell) != 0) return agent::fault("the shell loop failed");
  return {};
}

agent::Outcome in_batch(const Action& action, std::int64_t& start) {
  std::ofstream lines("/run/batch");
  for (int i = 0; i < kItems; ++i) lines << numbered(action.arguments, std::to_string(i)) << '\n';
  lines.close();
  ::usleep(kSettle_us);
  start = agent::monotonic_ns();
  if (std::system("ip -batch /run/batch") != 0) return agent::fault("ip -batch failed");
  return {};
}

/// Microseconds an item, or a fault. Ways: 0 ours, 1 shell, 2 batch.
agent::Expected<double> measure(const Action& action, int way, agent::Context& context) {
  AGENT_TRY(agent::empty_guest(context.netlink));
  for (const wire::Step& step : action.before) AGENT_TRY(run(step, context, 1));
  std::int64_t start = 0;
  AGENT_TRY(way == 0   ? in_agent(action, context, start)
            : way == 1 ? in_shell(action, start)
                       : in_batch(action, start));
  return static_cast<double>(agent::monotonic_ns() - start) / 1000 / kItems;
}

agent::Outcome compare(const Action& action, agent::Context& context) {
  std::array<std::vector<double>, 3> us;
  std::vector<double> ratios;
  for (int round = 0; round < kRounds; ++round) {
    for (int turn = 0; turn < 3; ++turn) {
      const int way = round % 2 ? 2 - turn : turn;  // who goes first changes
      const auto one = measure(action, way, context);
      if (!one) return std::unexpected(one.error());
      us[static_cast<std::size_t>(way)].push_back(*one);
    }
    ratios.push_back(us[0].back() / us[1].back());
  }
  fmt::print("{:<18} {:>9.0f} {:>9.0f} {:>9.0f} {:>11.3f}\n", action.name, median(us[0]),
             median(us[1]), median(us[2]), median(ratios));
  std::fflush(stdout);
  return {};
}

}  // namespace

int main() {
  auto context = bisect_run::test::bench_context(agent::Mode::process);
  if (!context) return bisect_run::test::give_up("process_loop", context.error());
  fmt::print("us an item, medians of {} rounds of {} items\n", kRounds, kItems);
  fmt::print("{:<18} {:>9} {:>9} {:>9} {:>11}\n", "", "ours", "shell", "ip -batch", "ours/shell");
  for (const Action& action : actions())
    if (const auto done = compare(action, *context); !done)
      return bisect_run::test::give_up("process_loop", done.error());
  return 0;
}
