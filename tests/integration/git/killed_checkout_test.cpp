// kill -9 in the middle of a checkout, of the controller alone or of its git too.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <sstream>
#include <thread>
#include <vector>

#include "git/work_tree.h"
#include "support/git_repo.h"

namespace bisect_run::git {
namespace {

namespace fs = std::filesystem;
using test::GitRepo;
using test::TempDir;

constexpr int files = 1500;

std::string stream_of(int version) {
  std::string stream = "commit refs/heads/v" + std::to_string(version) + "\ncommitter T <t@t> " +
                       std::to_string(1'000'000 + version) + " +0000\ndata 1\nx\n";
  for (int i = 0; i < files; ++i) {
    // Some files are the same in both, some only in one.
    if (i % 7 == version) continue;
    const std::string text =
        std::to_string(i % 3 == 0 ? 0 : version) + " of " + std::to_string(i) + "\n";
    stream += "M 644 inline d" + std::to_string(i % 97) + "/f" + std::to_string(i) + "\ndata " +
              std::to_string(text.size()) + "\n" + text + "\n";
  }
  return stream + "\n";
}

std::vector<pid_t> children_of(pid_t pid) {
  std::istringstream list(test::read_file("/proc/" + std::to_string(pid) + "/task/" +
                                          std::to_string(pid) + "/children"));
  std::vector<pid_t> children;
  for (pid_t child = 0; list >> child;) children.push_back(child);
  return children;
}

/// Files of the new version that are on disk already.
int arrived(const fs::path& tree, int version) {
  int count = 0;
  for (int i = 0; i < files; i += 20) {
    const auto name = "d" + std::to_string(i % 97) + "/f" + std::to_string(i);
    if (i % 3 != 0 && test::read_file(tree / name).starts_with(std::to_string(version) + " "))
      ++count;
  }
  return count;
}

/// True when the child is over; it stays there to be waited for.
bool ended(pid_t child) {
  siginfo_t info{};
  waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT);
  return info.si_pid == child;
}

class KilledCheckout : public testing::TestWithParam<bool> {};

TEST_P(KilledCheckout, IsRepairedByTheNextOne) {
  const bool kill_git_too = GetParam();
  TempDir temp;
  const GitRepo repo(temp / "r");
  repo.fast_import(stream_of(1) + stream_of(2));
  const std::string names[] = {repo.git("rev-parse v1"), repo.git("rev-parse v2")};
  const auto repository = Repository::open(repo.path());
  ASSERT_TRUE(repository);
  {
    auto tree = WorkTree::open(temp / "own", *repository);
    ASSERT_TRUE(tree);
    ASSERT_TRUE(tree->checkout(Oid{names[0]}, {}));
  }
  int interrupted = 0;
  for (int round = 0; round < 4; ++round) {
    const int to = 2 - round % 2;
    const pid_t controller = fork();
    if (controller == 0) {
      auto tree = WorkTree::open(temp / "own", *repository);
      const bool done = tree && tree->checkout(Oid{names[to - 1]}, {}).has_value();
      _exit(done ? 0 : 1);
    }
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    const int wanted = 1 + round * 8;
    while (arrived(temp / "own/tree", to) < wanted && !ended(controller) &&
           std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const auto gits = children_of(controller);
    kill(controller, SIGKILL);
    if (kill_git_too)
      for (const pid_t git : gits) kill(git, SIGKILL);
    waitpid(controller, nullptr, 0);
    interrupted += fs::exists(temp / "own/unfinished");

    auto tree = WorkTree::open(temp / "own", *repository);
    ASSERT_TRUE(tree) << tree.error().message;
    const int next = 1 + round / 2;
    const auto name = tree->checkout(Oid{names[next - 1]}, {});
    ASSERT_TRUE(name) << name.error().message;
    EXPECT_FALSE(fs::exists(temp / "own/unfinished"));
    fs::remove_all(temp / "expected");
    fs::create_directory(temp / "expected");
    repo.git("archive " + names[next - 1] + " | tar -x -C ../expected");
    EXPECT_EQ(test::shell("diff -r " + test::shell_quoted(temp / "expected") + " " +
                          test::shell_quoted(tree->path()) + " | head -5"),
              "");
  }
  EXPECT_GT(interrupted, 1) << "the kills must come in the middle";
}

INSTANTIATE_TEST_SUITE_P(Of, KilledCheckout, testing::Bool(), [](const auto& parameter) {
  return parameter.param ? "ControllerAndGit" : "ControllerAlone";
});

}  // namespace
}  // namespace bisect_run::git
