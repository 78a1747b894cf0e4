#include "vm/root_processes.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <string>

#include "model/unique_fd.h"
#include "vm/processes.h"

namespace bisect_run::vm {
namespace fs = std::filesystem;
namespace {

constexpr int kKillLimit_ms = 10'000;

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

}  // namespace

Result<int> end_qemus_of(const fs::path& root) {
  int killed = 0;
  for (const pid_t pid : all_processes()) {
    // First the handle, then the look: the number cannot change hands in between.
    const UniqueFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    if (!pidfd || !belongs_to(command_line(pid), root)) continue;
    ::syscall(SYS_pidfd_send_signal, pidfd.get(), SIGKILL, nullptr, 0);
    pollfd waiting{pidfd.get(), POLLIN, 0};
    if (::poll(&waiting, 1, kKillLimit_ms) != 1)
      return fail(ErrorKind::infra, fmt::format("QEMU process {} does not end; its files are in {}",
                                                pid, root.string()));
    ++killed;
  }
  return killed;
}

}  // namespace bisect_run::vm
