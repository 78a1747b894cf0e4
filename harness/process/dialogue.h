#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <string_view>

#include "model/error.h"
#include "process/spawn.h"

namespace bisect_run::process {

/// A child that is talked with over its stdin and stdout, in a process group of its own.
class Dialogue {
 public:
  /// Errors: infra, if it cannot be started.
  static Result<Dialogue> start(Spec spec);
  Dialogue(Dialogue&&) noexcept = default;
  Dialogue& operator=(Dialogue&&) = delete;
  /// Closes its stdin, gives it the spec's grace to leave, then ends its group.
  ~Dialogue();

  struct News {
    std::string received;  ///< at most 64 KiB
    bool closed = false;   ///< it will say nothing more
  };
  /// Waits for words, the deadline or a stop, whichever is first; sends what is still unsent.
  News wait(std::chrono::steady_clock::time_point deadline, std::stop_token stop);
  void send(std::string_view bytes) { unsent_ += bytes; }
  /// What it said on stderr so far, at most 4 KiB.
  const std::string& complaints() const { return complaints_; }

 private:
  Dialogue(Spec spec, Child child, UniqueFd socket);
  void write_unsent();
  void read_complaints();

  Spec spec_;
  Child child_;
  UniqueFd socket_;
  std::string unsent_, complaints_;
};

}  // namespace bisect_run::process
