#include "isolation.h"

#include <cerrno>

#include <sys/mount.h>
#include <sys/stat.h>

#include "modules.h"

namespace bisect_run::agent {
namespace {

Outcome mount_over(const char* source, const char* place, const char* type) {
  if (::mount(source, place, type, 0, nullptr) != 0)
    return os_fault(std::string("mounting a private ") + place, errno);
  return {};
}

/// `ip` may have been built for /var/run: where that is no link to /run, it becomes the same place.
Outcome join_var_run() {
  struct stat run{}, var_run{};
  if (::stat("/run", &run) != 0 || ::stat("/var/run", &var_run) != 0) return {};
  if (run.st_dev == var_run.st_dev && run.st_ino == var_run.st_ino) return {};
  if (::mount("/run", "/var/run", nullptr, MS_BIND, nullptr) != 0)
    return os_fault("binding /run over /var/run", errno);
  return {};
}

}  // namespace

Outcome settle_in_namespaces(const wire::Workload& workload) {
  load_modules(workload);
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
    return os_fault("making all mounts private", errno);
  AGENT_TRY(mount_over("run", "/run", "tmpfs"));
  AGENT_TRY(join_var_run());
  AGENT_TRY(mount_over("proc", "/proc", "proc"));
  return mount_over("sysfs", "/sys", "sysfs");
}

}  // namespace bisect_run::agent
