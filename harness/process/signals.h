#pragma once

#include <signal.h>

#include <atomic>
#include <stop_token>
#include <thread>

#include "model/unique_fd.h"

namespace bisect_run::process {

/// The one owner of SIGINT, SIGTERM and SIGHUP. Make it once, in main, before any other thread:
/// the signals are blocked from then on and taken by a thread of its own. The first one requests a
/// stop; the second kills all registered process groups and leaves at once with 128 + its number.
/// The same signal from the same process within 50 ms is no second one. A signal that was ignored
/// from the start (nohup) stays ignored. SIGPIPE is ignored.
class SignalOwner {
 public:
  explicit SignalOwner(std::stop_source stop);
  ~SignalOwner();
  SignalOwner(const SignalOwner&) = delete;
  SignalOwner& operator=(const SignalOwner&) = delete;

  /// Number of the first signal that came; 0: none yet.
  int received() const { return received_.load(); }

 private:
  void wait_for_signals();

  std::stop_source stop_;
  std::atomic<int> received_ = 0;
  UniqueFd signals_, leave_;
  std::jthread thread_;
};

/// The signal mask that children get: the one from before SignalOwner, or the caller's own.
sigset_t child_signal_mask();

}  // namespace bisect_run::process
