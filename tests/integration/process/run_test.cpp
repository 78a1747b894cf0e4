#include "process/run.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <atomic>
#include <chrono>
#include <iterator>
#include <thread>

#include "model/unique_fd.h"
#include "support/temp_dir.h"

namespace bisect_run::process {
namespace {

Spec shell(const std::string& script) {
  Spec spec;
  spec.argv = {"sh", "-c", script};
  spec.environment = {"PATH=/usr/bin:/bin"};
  spec.deadline_s = 30;  // of the test itself
  spec.grace_s = 0.2;
  return spec;
}

Outcome must_run(const Spec& spec) {
  auto outcome = run(spec, {});
  EXPECT_TRUE(outcome) << outcome.error().message;
  return outcome.value_or(Outcome{});
}

/// Waits until the process is gone or a zombie of someone else; false after ten seconds.
bool ends(pid_t pid) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (std::chrono::steady_clock::now() < limit) {
    const auto status = test::read_file("/proc/" + std::to_string(pid) + "/stat");
    if (status.empty() || status.find(") Z ") != std::string::npos) return true;
    std::this_thread::yield();
  }
  return false;
}

std::ptrdiff_t open_descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

TEST(Run, ReportsExitStatusAndBothOutputs) {
  const auto outcome = must_run(shell("echo out; echo err >&2; exit 7"));
  EXPECT_EQ(outcome.end, End::exited);
  EXPECT_EQ(outcome.code, 7);
  EXPECT_EQ(outcome.tail, "out\nerr\n");
  EXPECT_FALSE(outcome.killed);
}

TEST(Run, ReportsTheSignal) {
  const auto outcome = must_run(shell("kill -SEGV $$"));
  EXPECT_EQ(outcome.end, End::signalled);
  EXPECT_EQ(outcome.code, SIGSEGV);
}

TEST(Run, EnvironmentIsWholeDirectoryIsSetStdinIsEmpty) {
  const test::TempDir dir;
  auto spec = shell("cat; pwd; env | sort");
  spec.directory = dir.path();
  spec.environment.push_back("ONLY=this");
  const auto outcome = must_run(spec);
  EXPECT_EQ(outcome.tail.find(dir.path().string() + "\n"), 0U) << outcome.tail;
  EXPECT_NE(outcome.tail.find("ONLY=this"), std::string::npos);
  EXPECT_EQ(outcome.tail.find("HOME="), std::string::npos) << outcome.tail;
}

TEST(Run, NothingToStartIsInfraAndNamesIt) {
  auto spec = shell("");
  spec.argv = {"no-such-program-of-ours"};
  const auto missing = run(spec, {});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::infra);
  EXPECT_NE(missing.error().message.find("no-such-program-of-ours"), std::string::npos);

  spec = shell("true");
  spec.directory = "/no/such/place";
  const auto nowhere = run(spec, {});
  ASSERT_FALSE(nowhere);
  EXPECT_NE(nowhere.error().message.find("/no/such/place"), std::string::npos);

  spec.argv.clear();
  EXPECT_FALSE(run(spec, {}));
}

TEST(Run, ChildHasDefaultSigpipeAndItsOwnGroup) {
  ::signal(SIGPIPE, SIG_IGN);
  // Fields of stat: number, name, state, parent, group.
  const auto outcome =
      must_run(shell("grep SigIgn /proc/self/status; cut -d' ' -f1,5 /proc/$$/stat"));
  ::signal(SIGPIPE, SIG_DFL);
  unsigned long long ignored = 1;
  int pid = 0, group = -1;
  std::sscanf(outcome.tail.c_str(), "SigIgn: %llx %d %d", &ignored, &pid, &group);
  EXPECT_EQ(ignored & (1ULL << (SIGPIPE - 1)), 0U) << outcome.tail;
  EXPECT_EQ(pid, group) << outcome.tail;
}

TEST(Run, NoDescriptorOfOursLeaksIntoTheChild) {
  const UniqueFd careless(::open("/dev/null", O_RDONLY));  // without close-on-exec
  // ls opens one more, the directory, as 3.
  EXPECT_EQ(must_run(shell("exec ls /proc/self/fd")).tail, "0\n1\n2\n3\n");
}

TEST(Run, DeadlineEndsAGroupThatIgnoresTerm) {
  auto spec = shell("trap '' TERM; (echo $BASHPID; exec sleep 60) & sleep 60; sleep 60");
  spec.argv[0] = "bash";
  spec.deadline_s = 0.3;
  const auto outcome = must_run(spec);
  EXPECT_EQ(outcome.end, End::deadline);
  EXPECT_TRUE(outcome.killed);
  EXPECT_EQ(outcome.code, SIGKILL);
  EXPECT_LT(outcome.wall_s, 10);
  EXPECT_TRUE(ends(std::stoi(outcome.tail)));
}

TEST(Run, DeadlineReachesAChildThatClosedItsOutputs) {
  auto spec = shell("exec >/dev/null 2>&1; sleep 60");
  spec.deadline_s = 0.3;
  const auto outcome = must_run(spec);
  EXPECT_EQ(outcome.end, End::deadline);
  EXPECT_FALSE(outcome.killed);
  EXPECT_LT(outcome.wall_s, 10);
}

TEST(Run, WhatIsLeftOfTheGroupIsKilledAndNotWaitedFor) {
  const auto outcome = must_run(shell("trap '' TERM; sleep 60 & echo $!; exit 3"));
  EXPECT_EQ(outcome.end, End::exited);
  EXPECT_EQ(outcome.code, 3);
  EXPECT_LT(outcome.wall_s, 10);
  EXPECT_TRUE(ends(std::stoi(outcome.tail)));
}

TEST(Run, OneThatLeftTheGroupAndHoldsThePipeIsNotWaitedFor) {
  const test::TempDir dir;
  // The outer shell ends when the inner one has said its number and moved to a new session.
  auto spec =
      shell("mkfifo f; setsid sh -c 'echo $$; echo go > f; exec sleep 40' & read go < f; exit 0");
  spec.directory = dir.path();
  const auto outcome = must_run(spec);
  EXPECT_LT(outcome.wall_s, 10);
  ::kill(std::stoi(outcome.tail), SIGKILL);
}

TEST(Run, SilenceEndsItAndOutputPutsItOff) {
  auto spec = shell("for i in 1 2 3 4 5 6; do echo $i; sleep 0.2; done; sleep 60");
  spec.silence_s = 1;
  const auto outcome = must_run(spec);
  EXPECT_EQ(outcome.end, End::silence);
  EXPECT_EQ(outcome.tail, "1\n2\n3\n4\n5\n6\n");
}

TEST(Run, AStopRequestInterrupts) {
  std::stop_source stop;
  auto spec = shell("echo ready; sleep 60");
  const auto outcome = run(spec, stop.get_token(), [&](std::string_view line) {
    if (line == "ready") stop.request_stop();
  });
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->end, End::interrupted);
  EXPECT_EQ(outcome->code, SIGTERM);
  EXPECT_EQ(run(spec, stop.get_token())->end, End::interrupted);
}

TEST(Run, LogIsAppendedAndLimited) {
  const test::TempDir dir;
  auto spec = shell("echo hello");
  spec.log_file = dir / "log";
  must_run(spec);
  must_run(spec);
  EXPECT_EQ(test::read_file(spec.log_file), "hello\nhello\n");
  spec.log_limit = 2;
  must_run(spec);
  EXPECT_TRUE(test::read_file(spec.log_file).starts_with("hello\nhello\nhe\n["));
  spec.log_file = dir / "none" / "log";
  EXPECT_EQ(run(spec, {}).error().kind, ErrorKind::infra);
}

TEST(Run, AnEndlessLineNeedsLittleMemory) {
  rusage before{}, after{};
  ::getrusage(RUSAGE_SELF, &before);
  std::size_t longest = 0;
  const auto outcome = run(shell("head -c 300000000 /dev/zero"), {}, [&](std::string_view line) {
    longest = std::max(longest, line.size());
  });
  ::getrusage(RUSAGE_SELF, &after);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->tail.size(), Spec{}.tail_bytes);
  EXPECT_EQ(longest, 4096U);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 8 * 1024);  // KiB
}

TEST(Run, LeaksNeitherDescriptorsNorZombies) {
  auto hasty = shell("sleep 60");
  hasty.deadline_s = 0.01;
  auto nothing = shell("");
  nothing.argv = {"/no/such"};
  must_run(shell("true"));  // libuv opens its own few once
  const auto before = open_descriptors();
  for (int i = 0; i < 20; ++i) {
    must_run(shell("true"));
    must_run(hasty);
    EXPECT_FALSE(run(nothing, {}));
  }
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(Run, CountsTheCpuTimeOfDescendants) {
  const auto outcome =
      must_run(shell("sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'; true"));
  EXPECT_GT(outcome.user_s, 0.02);
  EXPECT_LE(outcome.user_s + outcome.system_s, outcome.wall_s + 0.1);
}

TEST(Run, AHeldLockLivesAsLongAsTheChild) {
  const test::TempDir dir;
  const auto file = dir / "lock";
  auto lock = UniqueFd(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  ASSERT_EQ(::flock(lock.get(), LOCK_EX | LOCK_NB), 0);
  auto spec = shell("echo go; sleep 60");
  spec.held_fd = lock.get();
  std::stop_source stop;
  int while_running = 0;
  const UniqueFd other(::open(file.c_str(), O_RDWR | O_CLOEXEC));
  const auto outcome = run(spec, stop.get_token(), [&](std::string_view) {
    lock = UniqueFd();  // as if we were gone
    while_running = ::flock(other.get(), LOCK_EX | LOCK_NB);
    stop.request_stop();
  });
  ASSERT_TRUE(outcome);
  EXPECT_EQ(while_running, -1);
  EXPECT_EQ(::flock(other.get(), LOCK_EX), 0);  // waits for the last of the group to be gone
}

TEST(Run, ManyAtOnceFromManyThreads) {
  std::vector<std::jthread> threads;
  std::atomic<int> right = 0;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&right, i] {
      for (int round = 0; round < 10; ++round) {
        const auto outcome = run(shell("exit " + std::to_string(i)), {});
        if (outcome && outcome->end == End::exited && outcome->code == i) ++right;
      }
    });
  threads.clear();
  EXPECT_EQ(right, 80);
}

TEST(FindProgram, LooksOnlyWhereItIsTold) {
  const test::TempDir dir;
  test::write_file(dir / "tool", "#!/bin/sh\n");
  EXPECT_EQ(find_program("tool", dir.path().string()), "");  // not executable
  std::filesystem::permissions(dir / "tool", std::filesystem::perms::owner_all);
  EXPECT_EQ(find_program("tool", "/nowhere::" + dir.path().string()), dir / "tool");
  EXPECT_EQ(find_program("./x", ""), "./x");
  EXPECT_EQ(find_program("", "/bin"), "");
}

}  // namespace
}  // namespace bisect_run::process
