#include "vm/qemu_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <libvirt/libvirt.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

namespace bisect_run::vm {
namespace {

// By pidfd, because a number may be somebody else's child by now.
void reap(int pidfd) {
  siginfo_t info{};
  ::waitid(static_cast<idtype_t>(P_PIDFD), static_cast<id_t>(pidfd), &info, WEXITED | WNOHANG);
}

int limit_file_size(pid_t pid, const rlimit& limit) {
  return ::prlimit(pid, RLIMIT_FSIZE, &limit, nullptr) == 0 ? 0 : errno;
}

/// Root in a container may lack CAP_SYS_RESOURCE; a user needs none for processes of his own. The
/// child makes system calls alone, for other threads may have held any lock.
int limit_file_size_as_its_user(pid_t pid, const rlimit& limit) {
  struct stat owner{};
  if (::stat(fmt::format("/proc/{}", pid).c_str(), &owner) != 0) return errno;
  const pid_t child = ::fork();
  if (child == 0) {
    const auto uid = owner.st_uid;
    const auto gid = owner.st_gid;
    const bool changed = ::syscall(SYS_setgroups, 0, nullptr) == 0 &&
                         ::syscall(SYS_setresgid, gid, gid, gid) == 0 &&
                         ::syscall(SYS_setresuid, uid, uid, uid) == 0;
    ::_exit(changed ? limit_file_size(pid, limit) : errno);
  }
  int status = 0;
  while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : EAGAIN;
}

/// The fields of /proc/PID/stat from the state on (field 3); empty when it is gone.
std::string stat_fields(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string line;
  std::getline(file, line);
  const auto name_end = line.rfind(')');
  return name_end == line.npos ? std::string() : line.substr(name_end + 1);
}

}  // namespace

void adopt_orphans() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

std::optional<QemuProcess> QemuProcess::from_pid_file(const std::filesystem::path& file) {
  std::ifstream in(file);
  pid_t pid = 0;
  if (!(in >> pid) || pid <= 1) return std::nullopt;
  UniqueFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!pidfd) return std::nullopt;
  return QemuProcess(pid, std::move(pidfd));
}

QemuProcess::QemuProcess(QemuProcess&& other) noexcept
    : pid_(other.pid_), pidfd_(std::move(other.pidfd_)), watch_(std::exchange(other.watch_, -1)) {}

QemuProcess::~QemuProcess() {
  if (watch_ >= 0) virEventRemoveHandle(watch_);
}

void QemuProcess::reap_when_gone() {
  // A descriptor of its own: the watch may fire once more while this object goes.
  const int own = ::fcntl(pidfd_.get(), F_DUPFD_CLOEXEC, 0);
  if (own < 0) return;
  watch_ = virEventAddHandle(
      own, VIR_EVENT_HANDLE_READABLE,
      [](int watch, int fd, int, void*) {
        reap(fd);
        virEventUpdateHandle(watch, 0);
      },
      reinterpret_cast<void*>(static_cast<std::intptr_t>(own)),
      [](void* opaque) { ::close(static_cast<int>(reinterpret_cast<std::intptr_t>(opaque))); });
  if (watch_ < 0) ::close(own);
}

// libvirt has no setting for it, and a console of type file no end.
Status QemuProcess::limit_files(std::uint64_t bytes) const {
  const rlimit limit{bytes, bytes};
  int error = limit_file_size(pid_, limit);
  if (error == EPERM) error = limit_file_size_as_its_user(pid_, limit);
  if (error == 0 || error == ESRCH) return {};
  return fail(ErrorKind::infra, fmt::format("the files that QEMU writes cannot be limited: {}",
                                            std::strerror(error)));
}

void QemuProcess::kill() const {
  ::syscall(SYS_pidfd_send_signal, pidfd_.get(), SIGKILL, nullptr, 0);
}

bool QemuProcess::wait_gone(std::chrono::steady_clock::time_point deadline) const {
  using namespace std::chrono;
  for (;;) {
    const auto left = duration_cast<milliseconds>(deadline - steady_clock::now()).count();
    pollfd waiting{pidfd_.get(), POLLIN, 0};
    const int ready = ::poll(&waiting, 1, left > 0 ? static_cast<int>(left) : 0);
    if (ready > 0) {
      reap(pidfd_.get());
      return true;
    }
    if (ready == 0 || errno != EINTR) return false;
  }
}

double QemuProcess::cpu_seconds() const {
  std::istringstream fields(stat_fields(pid_));
  std::string skipped;
  // utime and stime are fields 14 and 15 of proc(5); the state is field 3.
  for (int field = 3; field < 14; ++field) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

bool QemuProcess::stopped() const {
  std::istringstream fields(stat_fields(pid_));
  char state = 0;
  fields >> state;
  return state == 'T' || state == 't';
}

}  // namespace bisect_run::vm
