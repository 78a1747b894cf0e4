#include <cerrno>

#include "links.h"
#include "new_links.h"
#include "ops/ops.h"
#include "team.h"

namespace bisect_run::agent {
namespace {

/// Makes a device and gives its index.
Expected<int> make(Netlink& netlink, const char* kind, const std::string& name) {
  NewLink link;
  link.kind = kind;
  link.name = name;
  if (const int error = add_link(netlink, link)) return add_link_fault(link, error);
  return link_index(netlink, name);
}

class AggregateAdd : public Operation {
 public:
  AggregateAdd(const wire::Step& step, Context& context)
      : netlink_(context.netlink),
        kind_(text_of(step, "kind")),
        name_(text_of(step, "name")),
        policy_(text_of(step, "policy")),
        ports_(integer_of(step, "ports")) {}

  Outcome run(std::int64_t) override {
    const auto index = make(netlink_, kind_.c_str(), name_);
    if (!index) return std::unexpected(index.error());
    AGENT_TRY(kind_ == "bond" ? set_bond_policy() : set_team_policy(*index));
    int first = 0;
    for (std::int64_t i = 0; i < ports_; ++i) {
      const auto port = add_port(numbered("port", i), *index);
      if (!port) return std::unexpected(port.error());
      if (i == 0) first = *port;
    }
    if (kind_ == "team" && policy_ == "active-backup")
      if (const int error = set_team_active_port(*index, first))
        return os_fault("choosing the active port of " + name_, error);
    return bring_up(*index, name_);
  }

 private:
  /// By sysfs: it is the one way that every kernel has (netlink: since 3.13). The device is down.
  Outcome set_bond_policy() {
    const std::string file = "/sys/class/net/" + name_ + "/bonding/mode";
    return write_file(file.c_str(), policy_ == "round-robin" ? "balance-rr" : "active-backup");
  }

  Outcome set_team_policy(int index) {
    const int error =
        set_team_mode(index, policy_ == "round-robin" ? "roundrobin" : "activebackup");
    if (error == ENOENT || error == EINVAL)
      return unavailable("this kernel has no team mode " + policy_);
    if (error) return os_fault("setting the mode of " + name_, error);
    return {};
  }

  /// A port must be down when it is enslaved; the driver sets it up.
  Expected<int> add_port(const std::string& port, int master) {
    const auto index = make(netlink_, "dummy", port);
    if (!index) return index;
    const int error = set_master(netlink_, *index, master);
    if (error == EOPNOTSUPP && kind_ == "bond") {  // before 2.6.39
      const std::string file = "/sys/class/net/" + name_ + "/bonding/slaves";
      AGENT_TRY(write_file(file.c_str(), "+" + port));
    } else if (error) {
      return os_fault("making " + port + " a port of " + name_, error);
    }
    AGENT_TRY(bring_up(*index, port));
    return index;
  }

  Outcome bring_up(int index, const std::string& name) {
    if (const int error = set_link_up(netlink_, index, true))
      return os_fault("setting " + name + " up", error);
    return {};
  }

  Netlink& netlink_;
  std::string kind_, name_, policy_;
  std::int64_t ports_;
};

}  // namespace

Expected<OperationPtr> make_aggregate_add(const wire::Step& step, Context& context) {
  return std::make_unique<AggregateAdd>(step, context);
}

}  // namespace bisect_run::agent
