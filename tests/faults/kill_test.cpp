// The controller dies at any moment and is started again: the answer is the same, and what was
// acknowledged is there once.

#include <pty.h>

#include <random>

#include "faults/controller_test.h"

namespace bisect_run::test {
namespace {

using std::chrono::steady_clock;

constexpr int kKills = 200;

using KilledController = ControllerTest;

TEST_F(KilledController, At200RandomMomentsLosesNothingAndAnswersTheSame) {
  const unsigned seed = std::random_device{}();
  RecordProperty("seed", std::to_string(seed));
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::cout << "seed " << seed << ", a whole run takes " << whole_ms_ << " ms\n";
  std::mt19937 random(seed);
  // Some lives end while the file is being made or opened, others anywhere in the work.
  std::uniform_real_distribution<double> soon(0, 25), anywhere(0, whole_ms_ / 4);
  auto directory = new_run();
  int kills = 0, in_this_run = 0;
  while (kills < kKills) {
    const pid_t controller = start(directory);
    const auto until = steady_clock::now() + std::chrono::duration<double, std::milli>(
                                                 kills % 3 == 0 ? soon(random) : anywhere(random));
    while (steady_clock::now() < until && !ended(controller))
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    if (!ended(controller)) {
      ::kill(controller, SIGKILL);
      ++kills;
      ++in_this_run;
      injected();
      end_of(controller);
      continue;
    }
    ASSERT_EQ(end_of(controller), 0) << read_file(directory / "complaints");
    EXPECT_EQ(read_file(directory / "answer"), answer_);
    EXPECT_EQ(verify(directory, in_this_run), complete_);
    survived(in_this_run);
    resumed(in_this_run);
    directory = new_run();
    in_this_run = 0;
  }
  ASSERT_EQ(end_of(start(directory)), 0) << read_file(directory / "complaints");
  EXPECT_EQ(read_file(directory / "answer"), answer_);
  EXPECT_EQ(verify(directory, in_this_run), complete_);
  survived(in_this_run);
  resumed(in_this_run);
}

TEST_F(KilledController, OneSignalIsGracefulAndTheRunGoesOn) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    SCOPED_TRACE(signal);
    const auto directory = new_run();
    int stops = 0;
    while (true) {
      const auto before = acknowledged_in(directory).size();
      const pid_t controller = start(directory);
      eventually(
          [&] { return ended(controller) || acknowledged_in(directory).size() > before + 30; });
      const bool in_time = !ended(controller);
      ::kill(controller, signal);
      const int code = end_of(controller);
      if (!in_time || code == 0) {
        ASSERT_EQ(code, 0) << read_file(directory / "complaints");
        break;
      }
      ASSERT_EQ(code, 130) << read_file(directory / "complaints");
      injected();
      ++stops;
      const auto store = store::Store::open_read_only(directory / "results.db");
      ASSERT_TRUE(store) << store.error().message;
      EXPECT_EQ(store->last_run()->status, RunStatus::interrupted);
    }
    EXPECT_GT(stops, 1);
    EXPECT_EQ(read_file(directory / "answer"), answer_);
    EXPECT_EQ(verify(directory, 0), complete_);
    survived(stops);
    resumed(stops);
  }
}

TEST_F(KilledController, ATerminalThatGoesIsASignalLikeOthers) {
  const auto directory = new_run();
  int terminal = -1;
  const pid_t controller = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (controller == 0) become_controller(directory);
  ASSERT_TRUE(eventually([&] { return acknowledged_in(directory).size() > 50; }));
  ::close(terminal);  // the kernel sends SIGHUP; every later word to the terminal fails
  injected();
  EXPECT_EQ(end_of(controller), 130);
  EXPECT_EQ(store::Store::open_read_only(directory / "results.db")->last_run()->status,
            RunStatus::interrupted);
  survived();
  EXPECT_EQ(end_of(start(directory)), 0);
  EXPECT_EQ(read_file(directory / "answer"), answer_);
  EXPECT_EQ(verify(directory, 0), complete_);
  resumed();
}

TEST_F(KilledController, ASecondControllerOnTheSameRunIsTurnedAway) {
  const auto directory = new_run();
  const pid_t first = start(directory);
  ASSERT_TRUE(eventually([&] { return acknowledged_in(directory).size() > 50; }));
  injected();
  const pid_t second = ::fork();
  if (second == 0) {
    ::freopen((directory / "second").c_str(), "w", stderr);
    become_controller(directory);
  }
  EXPECT_EQ(end_of(second), 2);
  EXPECT_NE(read_file(directory / "second").find("another process is at work on run"),
            std::string::npos);
  EXPECT_EQ(end_of(first), 0);
  EXPECT_EQ(read_file(directory / "answer"), answer_);
  EXPECT_EQ(verify(directory, 0), complete_);
  survived();
}

}  // namespace
}  // namespace bisect_run::test
