#include "process/signals.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <functional>

#include "process/run.h"
#include "support/temp_dir.h"

namespace bisect_run::process {
namespace {

/// The exit status of `body` in a child process of its own, which has no threads yet; 1000 and
/// the signal if one ended it.
int in_child(const std::function<int()>& body) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::alarm(20);
    ::_exit(body());
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

Spec shell(const std::string& script) {
  Spec spec;
  spec.argv = {"sh", "-c", script};
  spec.environment = {"PATH=/usr/bin:/bin"};
  spec.grace_s = 15;
  return spec;
}

TEST(SignalOwner, TheFirstSignalRequestsAStop) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const int status = in_child([signal] {
      std::stop_source stop;
      const SignalOwner owner(stop);
      ::kill(::getpid(), signal);
      const auto outcome = run(shell("sleep 60"), stop.get_token());
      if (!outcome || outcome->end != End::interrupted) return 1;
      return owner.received() == signal ? 42 : 2;
    });
    EXPECT_EQ(status, 42) << signal;
  }
}

TEST(SignalOwner, WhatTimeoutSendsTwiceIsOneSignal) {
  const int status = in_child([] {
    std::stop_source stop;
    const SignalOwner owner(stop);
    const auto outcome = run(shell("echo ready; sleep 60"), stop.get_token(), [](std::string_view) {
      ::kill(::getpid(), SIGTERM);
      while (::usleep(1000) != 0) {
      }
      ::kill(::getpid(), SIGTERM);
    });
    return outcome && outcome->end == End::interrupted ? 42 : 1;
  });
  EXPECT_EQ(status, 42);
}

TEST(SignalOwner, TheSecondSignalKillsTheGroupsAndLeavesAtOnce) {
  const test::TempDir dir;
  const auto pid_file = dir / "pid";
  const int status = in_child([&] {
    std::stop_source stop;
    const SignalOwner owner(stop);
    const auto spec = shell("trap 'sleep 0.1; echo again' TERM; echo $$ > " + pid_file.string() +
                            "; echo ready; while :; do sleep 1; done");
    // At "ready", and at "again": when the first one has been acted on.
    const auto outcome =
        run(spec, stop.get_token(), [](std::string_view) { ::kill(::getpid(), SIGINT); });
    return 1;
  });
  EXPECT_EQ(status, 128 + SIGINT);
  const auto pid = test::read_file(pid_file);
  ASSERT_FALSE(pid.empty());
  // The trap keeps it from ending by SIGTERM. Its zombie may stay until init looks.
  const auto stat_file = "/proc/" + pid.substr(0, pid.size() - 1) + "/stat";
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  bool gone = false;
  while (!gone && std::chrono::steady_clock::now() < limit) {
    const auto state = test::read_file(stat_file);
    gone = state.empty() || state.find(") Z ") != std::string::npos;
  }
  EXPECT_TRUE(gone);
}

TEST(SignalOwner, ChildrenGetTheMaskFromBefore) {
  const int status = in_child([] {
    std::stop_source stop;
    const SignalOwner owner(stop);
    Spec grep;  // without a shell: dash clears its mask by itself
    grep.argv = {"grep", "-q", "SigBlk:.0*$", "/proc/self/status"};
    grep.environment = {"PATH=/usr/bin:/bin"};
    const auto outcome = run(grep, {});
    return outcome ? outcome->code + 10 : 1;
  });
  EXPECT_EQ(status, 10);
}

TEST(SignalOwner, WhatWasIgnoredStaysIgnored) {
  const int status = in_child([] {
    ::signal(SIGHUP, SIG_IGN);
    std::stop_source stop;
    const SignalOwner owner(stop);
    ::kill(::getpid(), SIGHUP);
    ::kill(::getpid(), SIGTERM);
    if (run(shell("sleep 60"), stop.get_token())->end != End::interrupted) return 1;
    return owner.received() == SIGTERM ? 42 : 2;
  });
  EXPECT_EQ(status, 42);
}

TEST(SignalOwner, GivesTheMaskBack) {
  const int status = in_child([] {
    sigset_t during, after;
    {
      const SignalOwner owner{std::stop_source()};
      pthread_sigmask(SIG_SETMASK, nullptr, &during);
    }
    pthread_sigmask(SIG_SETMASK, nullptr, &after);
    return sigismember(&during, SIGINT) && !sigismember(&after, SIGINT) ? 42 : 1;
  });
  EXPECT_EQ(status, 42);
}

}  // namespace
}  // namespace bisect_run::process
