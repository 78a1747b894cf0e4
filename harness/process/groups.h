#pragma once

#include <sys/types.h>

namespace bisect_run::process {

/// Keeps a process group on the list of those that `kill_all_groups` kills. Must be destroyed
/// before the group's leader is reaped: only until then the number is surely still its own.
class RegisteredGroup {
 public:
  explicit RegisteredGroup(pid_t group);
  ~RegisteredGroup();
  RegisteredGroup(const RegisteredGroup&) = delete;
  RegisteredGroup& operator=(const RegisteredGroup&) = delete;

 private:
  pid_t group_;
};

/// SIGKILL to every registered group. For the way out in a hurry; safe from any thread.
void kill_all_groups();

}  // namespace bisect_run::process
