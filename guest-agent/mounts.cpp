#include "mounts.h"

#include <cerrno>
#include <cstring>

#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace bisect_run::agent {
namespace {

struct Mount {
  const char *type, *place, *options;
  unsigned long flags;
};

constexpr Mount kMounts[] = {
    {"devtmpfs", "/dev", "mode=0755", MS_NOSUID},
    {"proc", "/proc", "", MS_NOSUID | MS_NODEV | MS_NOEXEC},
    {"sysfs", "/sys", "", MS_NOSUID | MS_NODEV | MS_NOEXEC},
    {"tmpfs", "/run", "mode=0755", MS_NOSUID | MS_NODEV},
    {"tmpfs", "/tmp", "mode=1777", MS_NOSUID | MS_NODEV},
};

struct Node {
  const char* path;
  unsigned major, minor;
};

/// For kernels without devtmpfs (before 2.6.32, or left out).
constexpr Node kNodes[] = {
    {"/dev/console", 5, 1}, {"/dev/null", 1, 3},   {"/dev/kmsg", 1, 11},
    {"/dev/ttyS0", 4, 64},  {"/dev/ttyS1", 4, 65},
};

/// Programs expect these; the agent stands in for the two small ones when they are not packed.
struct Symlink {
  const char *target, *path;
};
constexpr Symlink kSymlinks[] = {
    {"/run", "/var/run"},
    {"/proc/self/fd", "/dev/fd"},
    {"/init", "/bin/true"},
    {"/init", "/sbin/sysctl"},
};

}  // namespace

std::string mount_everything() {
  std::string failures;
  for (const char* directory : {"/var", "/etc", "/bin", "/sbin"}) ::mkdir(directory, 0755);
  for (const Mount& mount : kMounts) {
    ::mkdir(mount.place, 0755);
    if (::mount(mount.type, mount.place, mount.type, mount.flags, mount.options) != 0 &&
        errno != EBUSY)  // mounted already: CONFIG_DEVTMPFS_MOUNT
      failures += std::string(mount.place) + ": " + std::strerror(errno) + '\n';
  }
  for (const Node& node : kNodes)
    ::mknod(node.path, S_IFCHR | 0600, ::makedev(node.major, node.minor));
  for (const Symlink& link : kSymlinks) (void)!::symlink(link.target, link.path);
  return failures;
}

}  // namespace bisect_run::agent
