#include "store/run_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>

#include "model/try.h"

namespace bisect_run::store {
namespace {

struct flock one_byte(std::int64_t run, short type) {
  struct flock lock = {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = run;
  lock.l_len = 1;
  return lock;
}

constexpr std::size_t kOwnerBytes = 16;

/// Behind the bytes that are locked, by run.
off_t owner_place(std::int64_t run) {
  constexpr off_t kOwners = off_t{1} << 20;
  return kOwners + static_cast<off_t>(run) * static_cast<off_t>(kOwnerBytes);
}

/// Where this fails the next one waits in vain for some seconds, no more.
void note_owner(int descriptor, std::int64_t run) {
  const auto text = fmt::format("{:<{}}", getpid(), kOwnerBytes);
  (void)!pwrite(descriptor, text.data(), kOwnerBytes, owner_place(run));
}

/// 0: not known.
pid_t owner_of(int descriptor, std::int64_t run) {
  char text[kOwnerBytes + 1] = {};
  if (pread(descriptor, text, kOwnerBytes, owner_place(run)) <= 0) return 0;
  return static_cast<pid_t>(std::strtol(text, nullptr, 10));
}

/// Whether a process is gone or was killed (proc(5): a state Z or X, SIGKILL among the pending
/// signals): then a lock of its file is held by its last breath, or by a child that had no time yet
/// to let go of it.
bool leaving(pid_t pid) {
  if (pid <= 0) return true;
  std::ifstream status(fmt::format("/proc/{}/status", pid));
  if (!status) return true;
  constexpr unsigned long kKill = 1UL << (SIGKILL - 1);
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("State:\tZ") || line.starts_with("State:\tX")) return true;
    if ((line.starts_with("SigPnd:") || line.starts_with("ShdPnd:")) &&
        (std::strtoul(line.c_str() + 7, nullptr, 16) & kKill) != 0)
      return true;
  }
  return false;
}

}  // namespace

RunLocks::RunLocks(std::filesystem::path database) : file_(std::move(database)) {
  file_ += "-lock";
}

RunLocks::~RunLocks() {
  if (descriptor_ >= 0) close(descriptor_);
}

Result<bool> RunLocks::acquire(std::int64_t run) {
  if (holds(run)) return true;
  if (descriptor_ < 0) descriptor_ = open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0)
    return fail(ErrorKind::infra,
                fmt::format("{}: cannot be opened: {}; make the place writable, then resume",
                            file_.string(), strerror(errno)));
  // A lock of the open file, not of the process: a second Store in this process counts as another.
  struct flock lock = one_byte(run, F_WRLCK);
  if (fcntl(descriptor_, F_OFD_SETLK, &lock) == 0) {
    held_.insert(run);
    note_owner(descriptor_, run);
    return true;
  }
  if (errno == EAGAIN || errno == EACCES) return false;
  return fail(ErrorKind::infra,
              fmt::format("{}: cannot be locked: {}", file_.string(), strerror(errno)));
}

Result<bool> RunLocks::acquire_from_dying(std::int64_t run) {
  using namespace std::chrono;
  const auto limit = steady_clock::now() + 5s;
  while (true) {
    BR_TRY_ASSIGN(const bool locked, acquire(run));
    if (locked || steady_clock::now() > limit || !leaving(owner_of(descriptor_, run)))
      return locked;
    std::this_thread::sleep_for(20ms);
  }
}

bool RunLocks::taken(std::int64_t run) const {
  if (holds(run)) return true;
  const int descriptor = open(file_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  struct flock lock = one_byte(run, F_WRLCK);
  const bool known = fcntl(descriptor, F_OFD_GETLK, &lock) == 0;
  close(descriptor);
  return known && lock.l_type != F_UNLCK;
}

}  // namespace bisect_run::store
