#pragma once

#include <dirent.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fcntl.h>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "support/temp_dir.h"

// What every test of this directory stands on: faults are counted, and at its end nothing of it is
// left on the machine.

namespace bisect_run::test {

/// Children of this process, however they came to be: with a subreaper orphans land here.
inline std::vector<pid_t> children() {
  std::vector<pid_t> found;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::istringstream list(read_file(task.path() / "children"));
    for (pid_t child = 0; list >> child;) found.push_back(child);
  }
  return found;
}

inline std::string command_line_of(pid_t pid) {
  auto text = read_file("/proc/" + std::to_string(pid) + "/cmdline");
  for (auto& byte : text)
    if (byte == '\0') byte = ' ';
  return text;
}

/// Waits until `holds` does, at most `seconds`.
template <class Condition>
bool eventually(Condition holds, double seconds = 30) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > limit) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

class FaultTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    std::filesystem::create_directories(tmp());
    ::setenv("TMPDIR", tmp().c_str(), 1);
    mounts_ = mounts();
    namespaces_ = names_in("/run/netns");
    roots_ = dead_roots();
  }

  void TearDown() override {
    expect_no_orphans();
    EXPECT_EQ(mounts(), mounts_) << "mounts are left";
    EXPECT_EQ(names_in("/run/netns"), namespaces_) << "network namespaces are left";
    EXPECT_EQ(names_in(tmp()), std::set<std::string>()) << "temporary files are left";
    for (const auto& root : dead_roots())
      EXPECT_TRUE(roots_.contains(root)) << root << " of a dead controller is left";
    ::unsetenv("TMPDIR");
    note_tally();
  }

  // ---- counting ----
  void injected(int faults = 1) { injected_ += faults; }
  void survived(int faults = 1) { survived_ += faults; }
  void resumed(int faults = 1) { resumed_ += faults; }

  /// Where the test may put what it likes; gone at its end.
  const std::filesystem::path& work() const { return work_.path(); }
  /// TMPDIR of everything that the test starts.
  std::filesystem::path tmp() const { return work_ / "tmp"; }

 private:
  void expect_no_orphans() {
    // What was just killed may need a moment; a zombie is only waited for.
    const bool gone = eventually(
        [] {
          while (::waitpid(-1, nullptr, WNOHANG) > 0) {
          }
          return children().empty();
        },
        10);
    if (gone) return;
    for (const pid_t child : children()) {
      ADD_FAILURE() << "process " << child << " is left: " << command_line_of(child);
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, 0);
    }
  }

  static std::set<std::string> names_in(const std::filesystem::path& directory) {
    std::set<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator it(directory, error), end; !error && it != end;
         it.increment(error))
      names.insert(it->path().filename());
    return names;
  }

  /// Mount points below the test's own directory.
  std::set<std::string> mounts() const {
    std::set<std::string> points;
    std::ifstream in("/proc/self/mountinfo");
    for (std::string line; std::getline(in, line);)
      if (line.find(work().string()) != line.npos) points.insert(line);
    return points;
  }

  /// Embed roots whose controller is gone: those of the living are locked.
  static std::set<std::string> dead_roots() {
    std::set<std::string> roots;
    for (const auto& name : names_in("/tmp")) {
      if (!name.starts_with("brv-")) continue;
      const int fd = ::open(("/tmp/" + name).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      if (fd < 0) continue;
      if (::flock(fd, LOCK_SH | LOCK_NB) == 0) roots.insert(name);
      ::close(fd);
    }
    return roots;
  }

  void note_tally() const {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    std::ostringstream line;
    line << info->test_suite_name() << '.' << info->name() << ' ' << injected_ << ' ' << survived_
         << ' ' << resumed_ << '\n';
    std::cout << "faults: " << line.str();
    std::ofstream(BISECT_RUN_BUILD_DIR "/faults-tally", std::ios::app) << line.str();
  }

  TempDir work_;
  int injected_ = 0, survived_ = 0, resumed_ = 0;
  std::set<std::string> mounts_, namespaces_, roots_;
};

}  // namespace bisect_run::test
