#include "netns.h"

#include <cerrno>
#include <memory>

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

namespace bisect_run::agent {
namespace {

constexpr const char* kOwnNetns = "/proc/self/ns/net";

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

std::unexpected<Fault> no_netns(int error) {
  if (error == EINVAL)
    return unavailable("unshare(CLONE_NEWNET): this kernel has no network namespaces");
  if (error == ENOSPC)
    return fault(
        "unshare(CLONE_NEWNET): no more network namespaces; the limit is "
        "/proc/sys/user/max_net_namespaces, or the guest's memory is used up");
  return os_fault("unshare(CLONE_NEWNET)", error);
}

Outcome make_and_bind(const std::string& path) {
  if (::unshare(CLONE_NEWNET) != 0) return no_netns(errno);
  if (::mount(kOwnNetns, path.c_str(), "none", MS_BIND, nullptr) != 0) {
    if (errno == ENOENT) return unavailable("/proc/self/ns/net: not in this kernel");
    return os_fault("bind mount over " + path, errno);
  }
  return {};
}

}  // namespace

std::string netns_path(const std::string& name) {
  return std::string(kNetnsDirectory) + '/' + name;
}

Outcome prepare_netns_directory() {
  if (::mkdir(kNetnsDirectory, 0755) != 0 && errno != EEXIST)
    return os_fault(std::string("mkdir ") + kNetnsDirectory, errno);
  bool bound = false;
  while (::mount("", kNetnsDirectory, "none", MS_SHARED | MS_REC, nullptr) != 0) {
    if (errno != EINVAL || bound)
      return os_fault(std::string("sharing the mount ") + kNetnsDirectory, errno);
    if (::mount(kNetnsDirectory, kNetnsDirectory, "none", MS_BIND | MS_REC, nullptr) != 0)
      return os_fault(std::string("bind mount of ") + kNetnsDirectory, errno);
    bound = true;
  }
  return {};
}

Outcome add_netns(const std::string& name) {
  AGENT_TRY(prepare_netns_directory());
  const std::string path = netns_path(name);
  if (Fd file = open_file(path.c_str(), O_RDONLY | O_CREAT | O_EXCL, 0); !file)
    return os_fault("making " + path, errno);
  Outcome made = make_and_bind(path);
  if (!made) ::unlink(path.c_str());
  return made;
}

Outcome delete_netns(const std::string& name) {
  const std::string path = netns_path(name);
  ::umount2(path.c_str(), MNT_DETACH);  // a name without a mount is left over from a failure
  if (::unlink(path.c_str()) != 0) return os_fault("unlink " + path, errno);
  return {};
}

Outcome enter_netns(const std::string& name) {
  const std::string path = netns_path(name);
  const Fd file = open_file(path.c_str(), O_RDONLY);
  if (!file) return os_fault(path, errno);
  if (sys_setns(file.get(), CLONE_NEWNET) != 0) return os_fault("setns", errno);
  if (::unshare(CLONE_NEWNS) != 0) return os_fault("unshare(CLONE_NEWNS)", errno);
  if (::mount("", "/", "none", MS_SLAVE | MS_REC, nullptr) != 0)
    return os_fault("making / a slave", errno);
  if (::umount2("/sys", MNT_DETACH) != 0) return os_fault("detaching /sys", errno);
  if (::mount(name.c_str(), "/sys", "sysfs", 0, nullptr) != 0)
    return os_fault("mounting /sys", errno);
  return {};
}

Expected<Fd> own_netns() {
  Fd home = open_file(kOwnNetns, O_RDONLY);
  if (home) return home;
  if (errno == ENOENT) return unavailable("/proc/self/ns/net: not in this kernel");
  return os_fault(kOwnNetns, errno);
}

Outcome set_netns(const Fd& netns) {
  if (sys_setns(netns.get(), CLONE_NEWNET) != 0) return os_fault("setns", errno);
  return {};
}

Expected<std::vector<std::string>> list_netns() {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, CloseDirectory> directory(::opendir(kNetnsDirectory));
  if (!directory && errno == ENOENT) return names;
  if (!directory) return os_fault(kNetnsDirectory, errno);
  while (const dirent* entry = ::readdir(directory.get()))
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  return names;
}

Outcome delete_all_netns() {
  auto names = list_netns();
  if (!names) return std::unexpected(names.error());
  for (const std::string& name : *names) AGENT_TRY(delete_netns(name));
  return {};
}

}  // namespace bisect_run::agent
