#include "store/run_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

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
    return true;
  }
  if (errno == EAGAIN || errno == EACCES) return false;
  return fail(ErrorKind::infra,
              fmt::format("{}: cannot be locked: {}", file_.string(), strerror(errno)));
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
