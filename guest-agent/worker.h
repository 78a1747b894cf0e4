#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include <sys/types.h>

#include "sys.h"
#include "wire/messages.h"

namespace bisect_run::agent {

/// Where a workload runs.
enum class Place {
  guest,     ///< in the guest as it is: all of it is ours
  isolated,  ///< in fresh network, mount and process namespaces with a private /run
};

/// The process that measures. It is apart from the one that talks to the host: a heartbeat costs it
/// nothing, and out of memory kills it and not PID 1.
///
/// It writes finished messages, one a line. An empty line asks for `acknowledge`: what was written
/// before must have left the guest first. The last message, `done` or `failed`, has none behind it.
class Worker {
 public:
  static Expected<Worker> start(const wire::RunWorkload& request, Place place);
  Worker(Worker&&) = default;
  Worker& operator=(Worker&&) = default;
  ~Worker() { kill(); }

  std::int64_t id() const { return id_; }
  pid_t pid() const { return pid_; }
  int output() const { return output_.get(); }
  void acknowledge();
  /// Items done in the current loop.
  std::int64_t items() const;
  /// After the end of `output`: how it ended, in words; empty if it ended as it should.
  std::string reap();
  void kill();

 private:
  Worker() = default;

  std::int64_t id_ = 0;
  pid_t pid_ = -1;
  Fd output_, go_on_;
};

}  // namespace bisect_run::agent
