#include "operation.h"

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
    {"setns", make_setns},
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

std::string numbered(const std::string& prefix, std::int64_t item) {
  return prefix + std::to_string(item);
}

Outcome need_ip(const Context& context) {
  if (context.mode != Mode::process || !context.ip.empty()) return {};
  return unavailable("mode process needs the program `ip`, which is not installed here");
}

}  // namespace bisect_run::agent
