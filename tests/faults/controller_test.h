#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <map>

#include "faults/fault_test.h"
#include "faults/world.h"
#include "store/store.h"

// Starting faults_controller, and looking at what it has left.

namespace bisect_run::test {

inline const char* const kController = BISECT_RUN_BUILD_DIR "/tests/faults_controller";

/// In the child: whoever started the tests may ignore signals.
[[noreturn]] inline void become_controller(const std::filesystem::path& directory) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_DFL);
  ::execl(kController, kController, directory.c_str(), nullptr);
  ::_exit(99);
}

inline pid_t start(const std::filesystem::path& directory) {
  std::cout.flush();
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  ::freopen((directory / "answer").c_str(), "w", stdout);
  ::freopen((directory / "complaints").c_str(), "a", stderr);
  become_controller(directory);
}

inline int end_of(pid_t pid) {
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

inline bool ended(pid_t pid) {
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT);
  return info.si_pid == pid;
}

/// Samples by the tag of their boot and their chunk, with how often each is there.
using Count = std::map<std::pair<std::int64_t, int>, int>;

inline Count acknowledged_in(const std::filesystem::path& directory) {
  Count count;
  std::istringstream lines(read_file(directory / "acknowledged"));
  std::int64_t tag = 0;
  for (int chunk = 0; lines >> tag >> chunk;) ++count[{tag, chunk}];
  return count;
}

/// Knows what an uninterrupted run answers, and how long it takes.
class ControllerTest : public FaultTest {
 protected:
  void SetUp() override {
    FaultTest::SetUp();
    if (!std::filesystem::exists(kController)) GTEST_SKIP() << kController << " is not built";
    const auto directory = new_run();
    const auto before = std::chrono::steady_clock::now();
    ASSERT_EQ(end_of(start(directory)), 0) << read_file(directory / "complaints");
    whole_ms_ = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - before)
                    .count();
    answer_ = read_file(directory / "answer");
    ASSERT_EQ(answer_, "commit commit " + std::to_string(kCulprit) + "\n");
    complete_ = verify(directory, 0);
  }

  std::filesystem::path new_run() {
    auto directory = work() / ("run-" + std::to_string(runs_++));
    std::filesystem::create_directories(directory);
    return directory;
  }

  /// Every acknowledged sample once, and besides at most one a kill, cut between the commit and
  /// the word. Returns the number of complete boots.
  static int verify(const std::filesystem::path& directory, int kills) {
    const auto store = store::Store::open_read_only(directory / "results.db");
    if (!store) {
      ADD_FAILURE() << store.error().message;
      return 0;
    }
    const auto history = store->history(store->last_run()->id);
    Count found;
    int complete = 0;
    for (const auto& record : history->boots) {
      EXPECT_NE(record.boot.outcome, BootOutcome::running);
      if (record.boot.outcome == BootOutcome::complete) {
        EXPECT_EQ(record.samples.size(), static_cast<std::size_t>(kChunks));
        ++complete;
      }
      for (const auto& sample : record.samples) ++found[{*sample.user_ns, sample.chunk}];
    }
    for (const auto& [sample, times] : found) EXPECT_EQ(times, 1);
    const auto acknowledged = acknowledged_in(directory);
    for (const auto& [sample, times] : acknowledged) EXPECT_EQ(found[sample], 1) << sample.first;
    EXPECT_LE(found.size(), acknowledged.size() + static_cast<std::size_t>(kills));
    return complete;
  }

  int runs_ = 0, complete_ = 0;
  double whole_ms_ = 0;
  std::string answer_;
};

}  // namespace bisect_run::test
