#include "operation.h"

#include "child.h"
#include "ops/ops.h"

namespace bisect_run::agent {
namespace {

using Factory = Expected<OperationPtr> (*)(const wire::Step&, Context&);

struct Row {
  const char* name;
  Factory make;
};

constexpr Row kRows[] = {
    {"netns_add", make_netns_add},
    {"netns_exec", make_netns_exec},
    {"netns_delete", make_netns_delete},
    {"veth_into_netns", make_veth_into_netns},
    {"netns_drain", make_netns_drain},
    {"setns", make_setns},
    {"link_add", make_link_add},
    {"link_up", make_link_up},
    {"address_add", make_address_add},
    {"link_delete", make_link_delete},
    {"link_delete_group", make_link_delete_group},
    {"aggregate_add", make_aggregate_add},
    {"transmit", make_transmit},
    {"atomic_increment", make_atomic_increment},
};

}  // namespace

Expected<OperationPtr> make_operation(const wire::Step& step, Context& context) {
  for (const Row& row : kRows)
    if (step.op == row.name) return row.make(step, context);
  return fault("this agent has no operation '" + step.op + "'");
}

std::int64_t integer_of(const wire::Step& step, const char* name) {
  return std::get<std::int64_t>(step.parameters.at(name));
}

bool flag_of(const wire::Step& step, const char* name) {
  return std::get<bool>(step.parameters.at(name));
}

const std::string& text_of(const wire::Step& step, const char* name) {
  return std::get<std::string>(step.parameters.at(name));
}

Outcome with_netlink(Context& context, const std::function<Outcome(Netlink&)>& body) {
  if (context.mode != Mode::fork) return body(context.netlink);
  return in_child([&]() -> Outcome {
    auto netlink = Netlink::open();
    if (!netlink) return std::unexpected(netlink.error());
    return body(*netlink);
  });
}

std::string numbered(const std::string& prefix, std::int64_t item) {
  return prefix + std::to_string(item);
}

Outcome need_ip(const Context& context) {
  if (context.mode != Mode::process || !context.ip.empty()) return {};
  return unavailable("mode process needs the program `ip`, which is not installed here");
}

}  // namespace bisect_run::agent
