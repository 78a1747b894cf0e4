#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

#include <unistd.h>

// The agent's own small vocabulary: owned descriptors, faults, whole files.

namespace bisect_run::agent {

/// Why something did not work, for the message `failed`.
struct Fault {
  std::string reason;
  bool unavailable = false;  ///< this kernel lacks it
  std::string op = {};       ///< the operation that met it; filled in by the runner
};

template <class T>
using Expected = std::expected<T, Fault>;
using Outcome = std::expected<void, Fault>;

/// `what: strerror(error)`; unavailable where the error says that the kernel lacks the thing.
std::unexpected<Fault> os_fault(std::string_view what, int error);
std::unexpected<Fault> fault(std::string reason);
std::unexpected<Fault> unavailable(std::string reason);

/// Leaves the function with the fault of `expr` if it has one.
#define AGENT_TRY(expr)                                        \
  do {                                                         \
    if (auto agent_result = (expr); !agent_result)             \
      return std::unexpected(std::move(agent_result).error()); \
  } while (false)

/// An owned file descriptor; closes it, or -1.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Fd() {
    if (fd_ >= 0) ::close(fd_);
  }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  void close() { Fd closed(std::exchange(fd_, -1)); }

 private:
  int fd_ = -1;
};

/// open(2) with O_CLOEXEC; retries on EINTR.
Fd open_file(const char* path, int flags, unsigned mode = 0);
/// The whole file, at most `most` bytes of it; empty where it cannot be read.
std::string read_file(const char* path, std::size_t most = 1 << 20);
/// Writes all of `text` in one call, as /proc and /sys want it.
Outcome write_file(const char* path, std::string_view text);

/// setns(2) by number: a static C library may lack it, and so does a kernel before 3.0 (ENOSYS).
int sys_setns(int fd, int kind);

}  // namespace bisect_run::agent
