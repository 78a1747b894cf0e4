#pragma once

#include <functional>
#include <string>

#include <sys/types.h>

#include "sys.h"

namespace bisect_run::agent {

/// Runs `body` in a forked child that ends by _exit; a fault of the body comes back whole. The body
/// must not rely on anything it changes in memory: the parent does not see it.
Outcome in_child(const std::function<Outcome()>& body);

/// A child that makes a network namespace of its own and stays in it until this object goes.
class NetnsHolder {
 public:
  static Expected<NetnsHolder> make();
  NetnsHolder(NetnsHolder&&) = default;
  NetnsHolder& operator=(NetnsHolder&& other) noexcept {
    std::swap(pid_, other.pid_);
    std::swap(line_, other.line_);
    return *this;
  }
  ~NetnsHolder() { release(); }

  pid_t pid() const { return pid_; }
  /// Ends the child and waits for it; its namespace is then queued for teardown.
  void release();

 private:
  NetnsHolder(pid_t pid, Fd line) : pid_(pid), line_(std::move(line)) {}

  pid_t pid_ = -1;
  Fd line_;  ///< the child ends when this closes
};

/// Waits for `pid`; how it ended, in words: empty for exit status 0.
std::string wait_for(pid_t pid);

}  // namespace bisect_run::agent
