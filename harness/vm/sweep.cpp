#include "vm/sweep.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "model/try.h"
#include "vm/embed_root.h"
#include "vm/processes.h"
#include "vm/unique_fd.h"

namespace bisect_run::vm {
namespace fs = std::filesystem;
namespace {

constexpr int kKillLimit_ms = 10'000;

/// The lock of a root whose controller is dead; nothing for every other directory.
std::optional<UniqueFd> lock_dead_root(const fs::path& path) {
  UniqueFd directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat found{};
  if (!directory || ::fstat(directory.get(), &found) != 0 || found.st_uid != ::geteuid())
    return std::nullopt;
  if (::flock(directory.get(), LOCK_EX | LOCK_NB) != 0) return std::nullopt;
  // Without the owner file it is either empty (a controller died within microseconds) or not ours.
  std::error_code error;
  if (!fs::is_regular_file(path / kOwnerFile, error) && !fs::is_empty(path, error))
    return std::nullopt;
  return directory;
}

std::string command_line(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/cmdline", pid), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A QEMU that libvirt started for this root: it is one by its program's name, and paths inside
/// the root stand on its command line.
bool belongs_to(const std::string& cmdline, const fs::path& root) {
  const std::string program = cmdline.substr(0, cmdline.find('\0'));
  return fs::path(program).filename().string().starts_with("qemu-system-") &&
         cmdline.find(root.string() + "/") != cmdline.npos;
}

Result<int> kill_processes_of(const fs::path& root) {
  int killed = 0;
  for (const pid_t pid : all_processes()) {
    // First the handle, then the look: the number cannot change hands in between.
    const UniqueFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    if (!pidfd || !belongs_to(command_line(pid), root)) continue;
    ::syscall(SYS_pidfd_send_signal, pidfd.get(), SIGKILL, nullptr, 0);
    pollfd waiting{pidfd.get(), POLLIN, 0};
    if (::poll(&waiting, 1, kKillLimit_ms) != 1)
      return fail(ErrorKind::infra,
                  fmt::format("QEMU process {} of a dead run does not end; its files are in {}",
                              pid, root.string()));
    ++killed;
  }
  return killed;
}

}  // namespace

Result<Swept> sweep_leftovers(const fs::path& parent) {
  Swept swept;
  const std::size_t name_length = std::string_view(kRootPrefix).size() + 6;
  std::error_code error;
  for (fs::directory_iterator it(parent, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with(kRootPrefix) || name.size() != name_length) continue;
    const auto lock = lock_dead_root(it->path());
    if (!lock) continue;
    BR_TRY_ASSIGN(const int killed, kill_processes_of(it->path()));
    swept.processes += killed;
    std::error_code removal;
    fs::remove_all(it->path(), removal);
    if (removal)
      return fail(ErrorKind::infra, fmt::format("cannot remove {}, left by a dead run: {}",
                                                it->path().string(), removal.message()));
    ++swept.roots;
  }
  return swept;
}

}  // namespace bisect_run::vm
