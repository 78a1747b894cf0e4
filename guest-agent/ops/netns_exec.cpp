#include "child.h"
#include "links.h"
#include "netns.h"
#include "ops/ops.h"

namespace bisect_run::agent {
namespace {

constexpr int kLoopback = 1;  // lo is the first device of every network namespace
constexpr const char* kForward = "/proc/sys/net/ipv4/ip_forward";

enum class Deed { nothing, lo_up, ip_forward };

Deed deed_of(const std::string& word) {
  if (word == "lo_up") return Deed::lo_up;
  return word == "ip_forward" ? Deed::ip_forward : Deed::nothing;
}

/// What the command inside does, by its system calls.
Outcome act(Deed deed) {
  if (deed == Deed::ip_forward) return write_file(kForward, "1\n");
  if (deed == Deed::nothing) return {};
  auto netlink = Netlink::open();
  if (!netlink) return std::unexpected(netlink.error());
  if (const int error = set_link_up(*netlink, kLoopback, true))
    return os_fault("setting lo up", error);
  return {};
}

class NetnsExec : public Operation {
 public:
  NetnsExec(const wire::Step& step, Context& context, std::string tool)
      : context_(context),
        prefix_(text_of(step, "prefix")),
        deed_(deed_of(text_of(step, "do"))),
        tool_(std::move(tool)) {}

  Outcome run(std::int64_t item) override {
    const std::string name = numbered(prefix_, item);
    if (context_.mode == Mode::process) return start(name);
    return in_child([&]() -> Outcome {
      AGENT_TRY(enter_netns(name));
      return act(deed_);
    });
  }

 private:
  Outcome start(const std::string& name) {
    const char *ip = context_.ip.c_str(), *tool = tool_.c_str(), *ns = name.c_str();
    switch (deed_) {
      case Deed::nothing:
        return context_.programs.run({ip, "netns", "exec", ns, tool});
      case Deed::lo_up:
        return context_.programs.run({ip, "netns", "exec", ns, tool, "link", "set", "lo", "up"});
      case Deed::ip_forward:
        return context_.programs.run(
            {ip, "netns", "exec", ns, tool, "-w", "net.ipv4.ip_forward=1"});
    }
    return {};
  }

  Context& context_;
  std::string prefix_;
  Deed deed_;
  std::string tool_;  ///< what runs inside, in mode process
};

}  // namespace

Expected<OperationPtr> make_netns_exec(const wire::Step& step, Context& context) {
  AGENT_TRY(need_ip(context));
  if (context.mode == Mode::direct)
    return fault("netns_exec has no mode direct: a mount namespace cannot be left again");
  std::string tool;
  if (context.mode == Mode::process) {
    const Deed deed = deed_of(text_of(step, "do"));
    const char* name = deed == Deed::lo_up ? "ip" : deed == Deed::nothing ? "true" : "sysctl";
    tool = find_program(name);
    if (tool.empty())
      return unavailable(std::string("the program `") + name + "` is not installed here");
  }
  return std::make_unique<NetnsExec>(step, context, std::move(tool));
}

}  // namespace bisect_run::agent
