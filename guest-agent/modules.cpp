#include "modules.h"

#include <set>

#include <unistd.h>

#include "program.h"

namespace bisect_run::agent {
namespace {

struct Module {
  const char *kind, *name, *options;
};

constexpr Module kModules[] = {
    {"dummy", "dummy", "numdummies=0"}, {"bond", "bonding", "max_bonds=0"},
    {"vlan", "8021q", nullptr},         {"macvlan", "macvlan", nullptr},
    {"veth", "veth", nullptr},          {"team", "team", nullptr},
};

const Module* find_module(const std::string& kind) {
  for (const Module& module : kModules)
    if (kind == module.kind) return &module;
  return nullptr;
}

void add_kinds(const std::vector<wire::Step>& steps, std::set<std::string>& kinds) {
  for (const wire::Step& step : steps) {
    const auto kind = step.parameters.find("kind");
    if (kind == step.parameters.end()) continue;
    if (const auto* text = std::get_if<std::string>(&kind->second)) kinds.insert(*text);
    if (step.op == "aggregate_add") kinds.insert("dummy");
  }
}

std::set<std::string> kinds_of(const wire::Workload& workload) {
  // Defaults need not be filled in here: dummy is the first choice of every kind.
  std::set<std::string> kinds{"veth", "dummy"};
  add_kinds(workload.setup, kinds);
  for (const wire::Loop& loop : workload.loops) add_kinds(loop.each, kinds);
  return kinds;
}

}  // namespace

std::string module_command(const std::string& kind) {
  const Module* module = find_module(kind);
  if (!module) return "modprobe " + kind;
  return std::string("modprobe ") + module->name +
         (module->options ? ' ' + std::string(module->options) : "");
}

void load_modules(const wire::Workload& workload) {
  const std::string modprobe = find_program("modprobe");
  auto programs = Programs::make();
  if (modprobe.empty() || !programs || ::access("/proc/modules", F_OK) != 0) return;
  for (const std::string& kind : kinds_of(workload)) {
    const Module* module = find_module(kind);
    if (!module || ::access(("/sys/module/" + std::string(module->name)).c_str(), F_OK) == 0)
      continue;
    if (module->options)
      (void)programs->run({modprobe.c_str(), "-q", module->name, module->options});
    else
      (void)programs->run({modprobe.c_str(), "-q", module->name});
  }
}

}  // namespace bisect_run::agent
