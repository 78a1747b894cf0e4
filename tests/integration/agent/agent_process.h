#pragma once

#include <csignal>
#include <functional>
#include <optional>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>

#include "sys.h"
#include "wire/messages.h"

namespace bisect_run::agent {

/// A real `bisect-agent --here` with pipes to it.
class AgentProcess {
 public:
  /// `before` runs in the new process before it becomes the agent.
  explicit AgentProcess(const std::function<void()>& before = [] {}) {
    const std::string program = std::string(BISECT_RUN_BUILD_DIR) + "/guest-agent/bisect-agent";
    int in[2], out[2];
    if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) return;
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(in[0], 0);
      ::dup2(out[1], 1);
      before();
      ::execl(program.c_str(), program.c_str(), "--here", nullptr);
      ::_exit(127);
    }
    to_ = Fd(in[1]);
    from_ = Fd(out[0]);
    ::close(in[0]);
    ::close(out[1]);
  }
  ~AgentProcess() {
    if (pid_ > 0) ::kill(pid_, SIGKILL);
    wait();
  }

  void say(const std::string& line) {
    ASSERT_EQ(::write(to_.get(), line.data(), line.size()), static_cast<ssize_t>(line.size()));
  }
  void say(const wire::HostMessage& message) { say(wire::encode(message)); }
  void end_input() { to_.close(); }

  /// The next message; nothing at the end of the output or after a deadline.
  std::optional<wire::GuestMessage> next() {
    constexpr int kDeadline_ms = 60'000;
    std::size_t end;
    while ((end = text_.find('\n')) == std::string::npos) {
      pollfd waiting{.fd = from_.get(), .events = POLLIN, .revents = 0};
      char part[4096];
      if (::poll(&waiting, 1, kDeadline_ms) <= 0) return std::nullopt;
      const ssize_t got = ::read(from_.get(), part, sizeof part);
      if (got <= 0) return std::nullopt;
      text_.append(part, static_cast<std::size_t>(got));
    }
    auto message = wire::decode_guest(text_.substr(0, end + 1));
    EXPECT_TRUE(message) << message.error();
    text_.erase(0, end + 1);
    return message ? std::optional(*message) : std::nullopt;
  }

  /// Skips to the next message of one type.
  template <class T>
  std::optional<T> await() {
    while (auto message = next())
      if (auto* wanted = std::get_if<T>(&*message)) return *wanted;
    return std::nullopt;
  }

  pid_t pid() const { return pid_; }
  void signal(int number) { ::kill(pid_, number); }
  /// Its exit status; -1 if a signal ended it.
  int wait() {
    int status = -1;
    if (pid_ > 0) ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t pid_ = -1;
  Fd to_, from_;
  std::string text_;
};

}  // namespace bisect_run::agent
