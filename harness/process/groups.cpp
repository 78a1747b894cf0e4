#include "process/groups.h"

#include <signal.h>

#include <mutex>
#include <set>

namespace bisect_run::process {
namespace {

struct Registry {
  std::mutex mutex;
  std::multiset<pid_t> groups;
};

// Never destroyed: a thread that is still at work while the program ends may need it.
Registry& registry() {
  static auto* const the = new Registry;
  return *the;
}

}  // namespace

RegisteredGroup::RegisteredGroup(pid_t group) : group_(group) {
  const std::lock_guard lock(registry().mutex);
  registry().groups.insert(group_);
}

RegisteredGroup::~RegisteredGroup() {
  const std::lock_guard lock(registry().mutex);
  registry().groups.erase(registry().groups.find(group_));
}

void kill_all_groups() {
  const std::lock_guard lock(registry().mutex);
  for (const pid_t group : registry().groups) ::kill(-group, SIGKILL);
}

}  // namespace bisect_run::process
