#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "model/error.h"
#include "model/unique_fd.h"

namespace bisect_run::vm {

/// From here on orphaned children of this process become its own, so that it can reap the QEMUs
/// that libvirt starts as daemons. Without it libvirt waits for the system's init to do it, which
/// takes seconds in containers.
void adopt_orphans();

/// One local QEMU, held by a pidfd: never mistaken for another process with its number.
class QemuProcess {
 public:
  /// Nothing when there is no such file or process (a remote host, or it is gone already).
  static std::optional<QemuProcess> from_pid_file(const std::filesystem::path& file);

  QemuProcess(QemuProcess&& other) noexcept;
  QemuProcess& operator=(QemuProcess&&) = delete;
  ~QemuProcess();

  /// Reaps it in the event thread as soon as it ends, so that libvirt sees it gone.
  void reap_when_gone();
  /// No file that it writes becomes longer. Errors: infra; none if it is gone already.
  Status limit_files(std::uint64_t bytes) const;
  void kill() const;
  /// True when it is gone (and reaped) by the deadline.
  bool wait_gone(std::chrono::steady_clock::time_point deadline) const;

  double cpu_seconds() const;
  bool stopped() const;  ///< by SIGSTOP or a tracer

 private:
  QemuProcess(pid_t pid, UniqueFd pidfd) : pid_(pid), pidfd_(std::move(pidfd)) {}

  pid_t pid_;
  UniqueFd pidfd_;
  int watch_ = -1;
};

}  // namespace bisect_run::vm
