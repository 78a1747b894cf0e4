#pragma once

#include <array>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bisect_run::test {

/// Network and mount namespaces may be made only by root.
inline bool may_make_namespaces() {
  return ::geteuid() == 0;
}

/// Runs `body` in a child with a network and a mount namespace of its own. Failed expectations of
/// the body print as usual and fail the calling test.
inline void in_fresh_namespaces(const std::function<void()>& body) {
  std::fflush(nullptr);
  const pid_t pid = ::fork();
  ASSERT_GE(pid, 0);
  if (pid == 0) {
    if (::unshare(CLONE_NEWNET | CLONE_NEWNS) != 0) ::_exit(2);
    body();
    std::fflush(nullptr);
    ::_exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(pid, &status, 0), pid);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
}

/// What a shell command prints, with its errors.
inline std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen((command + " 2>&1").c_str(), "r"),
                                                   ::pclose);
  std::string text;
  std::array<char, 4096> part;
  for (std::size_t got; pipe && (got = std::fread(part.data(), 1, part.size(), pipe.get())) > 0;)
    text.append(part.data(), got);
  return text;
}

}  // namespace bisect_run::test
