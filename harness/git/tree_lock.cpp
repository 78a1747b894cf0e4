#include "git/tree_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>

namespace bisect_run::git {
namespace {

pid_t owner_in(int descriptor) {
  char text[32] = {};
  if (pread(descriptor, text, sizeof text - 1, 0) <= 0) return 0;
  return static_cast<pid_t>(std::strtol(text, nullptr, 10));
}

/// One that was killed and not yet waited for is dead, though its number is still taken.
bool alive(pid_t pid) {
  if (pid <= 0 || (kill(pid, 0) != 0 && errno != EPERM)) return false;
  std::ifstream stat(fmt::format("/proc/{}/stat", pid));  // proc(5): "PID (NAME) STATE ..."
  std::string line;
  std::getline(stat, line);
  const auto name_end = line.rfind(") ");
  return name_end == std::string::npos || (line[name_end + 2] != 'Z' && line[name_end + 2] != 'X');
}

/// A killed controller may need that long to go, on a busy host.
constexpr auto kDying = std::chrono::seconds(5);

}  // namespace

Result<UniqueFd> lock_tree(const std::filesystem::path& file, std::chrono::seconds patience) {
  UniqueFd lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!lock)
    return fail(ErrorKind::infra, fmt::format("{}: {}", file.string(), std::strerror(errno)));
  const auto start = std::chrono::steady_clock::now();
  const auto deadline = start + patience;
  while (flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    const pid_t owner = owner_in(lock.get());
    const bool stays = owner == getpid() || std::chrono::steady_clock::now() > start + kDying;
    if (stays && alive(owner))
      return fail(ErrorKind::usage,
                  fmt::format("{} is in use by process {}; wait for it or stop it",
                              file.parent_path().string(), owner));
    if (std::chrono::steady_clock::now() > deadline)
      return fail(
          ErrorKind::infra,
          fmt::format("a git of an earlier run still works on {}; look for it with: fuser {}",
                      file.parent_path().string(), file.string()));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const std::string pid = fmt::format("{}\n", getpid());
  if (ftruncate(lock.get(), 0) != 0 ||
      pwrite(lock.get(), pid.data(), pid.size(), 0) != static_cast<ssize_t>(pid.size()))
    return fail(ErrorKind::infra, fmt::format("{}: {}", file.string(), std::strerror(errno)));
  return lock;
}

}  // namespace bisect_run::git
