#include "process/strays.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "process/run.h"
#include "support/temp_dir.h"

namespace bisect_run::process {
namespace {

/// A shell that leaves its group and session, says its number and stays for a minute.
std::string runaway(const std::filesystem::path& pid_file) {
  return "setsid sh -c 'echo $$ > " + pid_file.string() + ".new; mv " + pid_file.string() +
         ".new " + pid_file.string() + "; exec sleep 60' & while ! test -e " + pid_file.string() +
         "; do sleep 0.01; done; ";
}

Spec shell(const std::string& script) {
  Spec spec;
  spec.argv = {"sh", "-c", script};
  spec.environment = {"PATH=/usr/bin:/bin"};
  spec.deadline_s = 30;
  return spec;
}

bool lives(const std::filesystem::path& pid_file) {
  const auto number = test::read_file(pid_file);
  const auto stat = test::read_file("/proc/" + number.substr(0, number.size() - 1) + "/stat");
  return !stat.empty() && stat.find(") Z ") == std::string::npos;
}

TEST(Strays, OneThatLeftItsGroupIsKilledWithTheOthers) {
  const test::TempDir dir;
  auto spec = shell(runaway(dir / "pid") + "exit 3");
  spec.marked = true;
  const auto outcome = run(spec, {});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->code, 3);
  EXPECT_FALSE(lives(dir / "pid"));
}

TEST(Strays, AlsoAtADeadline) {
  const test::TempDir dir;
  auto spec = shell(runaway(dir / "pid") + "sleep 60");
  spec.marked = true;
  spec.deadline_s = 2;
  const auto outcome = run(spec, {});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->end, End::deadline);
  EXPECT_FALSE(lives(dir / "pid"));
}

TEST(Strays, OthersAreLeftAlone) {
  const test::TempDir dir;
  std::jthread other([&] {
    auto spec = shell(runaway(dir / "kept") + "while test -e " + (dir / "kept").string() +
                      "; do sleep 0.02; done");
    spec.marked = true;
    EXPECT_TRUE(run(spec, {}));
  });
  while (!std::filesystem::exists(dir / "kept")) std::this_thread::yield();
  auto spec = shell(runaway(dir / "pid"));
  spec.marked = true;
  EXPECT_TRUE(run(spec, {}));
  EXPECT_FALSE(lives(dir / "pid"));
  EXPECT_EQ(kill_strays_of_the_dead(), 0);
  EXPECT_TRUE(lives(dir / "kept"));
  std::filesystem::remove(dir / "kept");
}

TEST(Strays, ThoseOfADeadControllerAreFoundByTheNext) {
  const test::TempDir dir;
  const pid_t controller = ::fork();
  if (controller == 0) {
    auto spec = shell(runaway(dir / "pid") + "sleep 60");
    spec.marked = true;
    (void)run(spec, {});
    ::_exit(0);
  }
  while (!std::filesystem::exists(dir / "pid")) std::this_thread::yield();
  EXPECT_EQ(kill_strays_of_the_dead(), 0) << "its controller lives";
  EXPECT_TRUE(lives(dir / "pid"));
  ::kill(controller, SIGKILL);
  ::waitpid(controller, nullptr, 0);
  EXPECT_TRUE(lives(dir / "pid"));
  EXPECT_GE(kill_strays_of_the_dead(), 2);  // the shell that led the group, and its runaway
  EXPECT_FALSE(lives(dir / "pid"));
}

TEST(Strays, AMarkIsUniqueAndOurs) {
  EXPECT_NE(new_mark(), new_mark());
  EXPECT_EQ(new_mark().find("BISECT_RUN_CHILD=" + std::to_string(::getpid()) + "."), 0U);
}

}  // namespace
}  // namespace bisect_run::process
