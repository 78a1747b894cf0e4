#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>

#include "lab/console.h"
#include "lab/lab.h"
#include "lab/outcome.h"
#include "lab/session.h"
#include "vm/domain.h"

namespace bisect_run::lab {

/// Brings a running VM, its console and a session together until one of them ends it.
class Life {
 public:
  using Clock = std::chrono::steady_clock;

  /// `asked_at`: when the VM was asked for; the session's time counts from there.
  Life(vm::Domain& domain, Session& session, const Observer& observer, Clock::time_point asked_at);

  /// Returns when it is decided how the boot ended. Does not destroy the VM.
  Ending run(std::stop_token stop);

  const ConsoleLog& console() const { return console_.log(); }
  /// CPU time that the VM used; nothing where it cannot be told any more.
  std::optional<double> cpu_seconds() const;

 private:
  bool step(std::stop_token stop);
  void tell_observer();
  void tell_progress();
  void read_last_words();
  Evidence evidence() const;
  double now() const { return std::chrono::duration<double>(Clock::now() - asked_at_).count(); }

  vm::Domain& domain_;
  Session& session_;
  const Observer& observer_;
  Clock::time_point asked_at_;
  ConsoleFile console_;
  Evidence seen_;
  double cpu_at_start_;
  double closed_at_ = -1;
};

}  // namespace bisect_run::lab
