#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>

#include "store/store.h"
#include "support/store_facts.h"
#include "support/temp_dir.h"

// A controller that is killed, at any moment, has lost nothing that was acknowledged.

namespace bisect_run::store {
namespace {

/// The child: takes up the run, and writes the number of each sample to the pipe once the store
/// has acknowledged it.
[[noreturn]] void write_until_killed(const std::filesystem::path& file, const std::string& run,
                                     int round, int pipe) {
  auto store = Store::open(file).value();
  if (!store.claim(run)) _exit(2);
  for (int number = 0;;) {
    const auto boot = store.boot_started(run, test::some_start('a')).value();
    for (int i = 0; i < 40; ++i, ++number) {
      auto sample = test::some_sample(number);
      sample.repetition = round;
      if (!store.sample(boot, sample)) _exit(3);
      if (write(pipe, &number, sizeof number) != sizeof number) _exit(4);
    }
    Boot result;
    result.outcome = BootOutcome::complete;
    if (!store.boot_ended(boot, result, 1)) _exit(5);
  }
}

TEST(Kill, NothingAcknowledgedIsLost) {
  const test::TempDir directory;
  const auto file = directory / "r.db";
  std::string run;
  {
    auto store = Store::open(file).value();
    run = store.begin_run(test::some_request(), {}).value();
  }
  std::mt19937 random(11);
  std::vector<int> acknowledged;
  for (int round = 0; round < 25; ++round) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      close(ends[0]);
      write_until_killed(file, run, round, ends[1]);
    }
    close(ends[1]);
    const int wanted = static_cast<int>(random() % 150);
    int number = -1, last = -1;
    while (last < wanted && read(ends[0], &number, sizeof number) == sizeof number) last = number;
    kill(child, SIGKILL);
    while (read(ends[0], &number, sizeof number) == sizeof number) last = number;
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child ended by itself: " << WEXITSTATUS(status);
    acknowledged.push_back(last);
  }

  auto store = Store::open(file).value();
  ASSERT_TRUE(store.claim(run));
  const auto history = store.history(run);
  ASSERT_TRUE(history) << history.error().message;
  std::map<int, std::vector<int>> found;
  for (const auto& boot : history->boots) {
    EXPECT_NE(boot.boot.outcome, BootOutcome::running);
    if (boot.boot.outcome == BootOutcome::complete) {
      EXPECT_EQ(boot.samples.size(), 40u);
    }
    for (const auto& sample : boot.samples) found[sample.repetition].push_back(sample.chunk);
  }
  for (int round = 0; round < 25; ++round) {
    auto& numbers = found[round];
    // Each once, in order; at most one more than was acknowledged, cut between commit and word.
    for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(numbers[i], static_cast<int>(i));
    EXPECT_GE(static_cast<int>(numbers.size()), acknowledged[static_cast<std::size_t>(round)] + 1);
    EXPECT_LE(static_cast<int>(numbers.size()), acknowledged[static_cast<std::size_t>(round)] + 2);
  }
}

}  // namespace
}  // namespace bisect_run::store
