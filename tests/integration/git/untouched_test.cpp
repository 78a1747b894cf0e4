// The promise: nothing of the person's repository or work tree changes, not even a time stamp.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "git/kernel_tree.h"
#include "git/repository.h"
#include "git/work_tree.h"
#include "support/directory_state.h"
#include "support/git_repo.h"

namespace bisect_run::git {
namespace {

namespace fs = std::filesystem;
using test::GitRepo;
using test::TempDir;

/// A hook or a filter that would leave a trace if it ever ran.
void set_traps(const GitRepo& repo, const fs::path& trace) {
  for (const std::string hook : {"post-checkout", "post-index-change", "reference-transaction"}) {
    const fs::path file = repo.path() / ".git/hooks" / hook;
    test::write_file(file, "#!/bin/sh\ntouch " + test::shell_quoted(trace) + "\n");
    fs::permissions(file, fs::perms::owner_all);
  }
  repo.git("config filter.trap.smudge 'touch " + trace.string() + "; cat'");
  repo.git("config core.fsmonitor 'touch " + trace.string() + "'");
  repo.write(".gitattributes", "*.c filter=trap\n");
}

class UntouchedTest : public testing::Test {
 protected:
  void SetUp() override {
    repo.write("a.c", "1\n2\n3\n");
    repo.write("b.c", "b\n");
    commits.push_back(repo.commit("0"));
    for (int i = 1; i < 8; ++i) {
      repo.write("a.c", "1\n" + std::to_string(i) + "\n3\n");
      commits.push_back(repo.commit(std::to_string(i)));
    }
    repo.git("tag -a -m x v1");
    repo.git("worktree add -q ../linked HEAD~2");
    set_traps(repo, temp / "trace");
    repo.write("staged.c", "staged\n");
    repo.git("add staged.c .gitattributes");
    repo.write("b.c", "changed, not staged\n");
    repo.write("untracked", "u\n");
    repo.git("bisect start HEAD HEAD~6 2>/dev/null || git bisect log");
    fs::remove(temp / "trace");
  }

  /// Everything the harness ever does with a repository, good and bad input.
  void use(const fs::path& place) {
    const auto repository = Repository::open(place);
    ASSERT_TRUE(repository) << repository.error().message;
    for (const std::string name : {"v1", "HEAD~1", "HEAD@{1}", "no-such-name", ":/5", "bisect/bad"})
      (void)repository->resolve(name);
    const Oid good{commits.front()}, bad{commits.back()};
    ASSERT_TRUE(repository->range(good, bad));
    ASSERT_FALSE(repository->range(bad, good));
    (void)repository->describe(bad);
    (void)is_kernel_tree(*repository, bad);
    const auto change = repository->patch_of(Oid{commits[4]});
    ASSERT_TRUE(change);
    auto tree = WorkTree::open(temp / "own", *repository);
    ASSERT_TRUE(tree) << tree.error().message;
    for (const std::string& commit : commits) ASSERT_TRUE(tree->checkout(Oid{commit}, {}));
    // The patched tree and its blob are in the repository already: writing them once more would
    // renew the time stamp of the pack or object that holds them.
    const auto patched = tree->checkout(Oid{commits[3]}, {{"next", *change}});
    ASSERT_TRUE(patched) << patched.error().message;
    EXPECT_EQ(*patched, repo.git("-c core.fsmonitor=false rev-parse " + commits[4] + "^{tree}"));
    ASSERT_TRUE(tree->checkout(bad, {{"new", "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+n\n"}}));
    ASSERT_FALSE(tree->checkout(bad, {{"wrong", *change}}));
  }

  void expect_untouched(const fs::path& place) {
    const auto before = test::state_of(repo.path());
    const auto linked = test::state_of(temp / "linked");
    use(place);
    EXPECT_EQ(test::difference(before, test::state_of(repo.path())), "");
    EXPECT_EQ(test::difference(linked, test::state_of(temp / "linked")), "");
    EXPECT_FALSE(fs::exists(temp / "trace")) << "something of the person's was run";
  }

  TempDir temp;
  GitRepo repo{temp / "r"};
  std::vector<std::string> commits;
};

TEST_F(UntouchedTest, C16LooseObjects) {
  expect_untouched(repo.path());
}

TEST_F(UntouchedTest, C16Packs) {
  repo.git("-c core.fsmonitor=false repack -qad");
  fs::remove(temp / "trace");
  expect_untouched(repo.path());
}

TEST_F(UntouchedTest, C17LinkedWorktree) {
  expect_untouched(temp / "linked");
}

TEST_F(UntouchedTest, EvenWhenTheEnvironmentPointsThere) {
  setenv("GIT_DIR", (repo.path() / ".git").c_str(), 1);
  setenv("GIT_WORK_TREE", repo.path().c_str(), 1);
  setenv("GIT_INDEX_FILE", (repo.path() / ".git/index").c_str(), 1);
  const auto before = test::state_of(repo.path());
  const auto repository = Repository::open(repo.path());
  auto tree = WorkTree::open(temp / "own", *repository);
  const bool done = tree && tree->checkout(Oid{commits[2]}, {}).has_value();
  unsetenv("GIT_DIR");
  unsetenv("GIT_WORK_TREE");
  unsetenv("GIT_INDEX_FILE");
  EXPECT_TRUE(done);
  EXPECT_EQ(test::difference(before, test::state_of(repo.path())), "");
}

/// Root may write anywhere, so as root the test runs a part of itself as a user who may not.
TEST_F(UntouchedTest, ReadOnlyPermissionsAreEnough) {
  test::shell("chmod -R a+rX,a-w " + test::shell_quoted(repo.path()));
  if (geteuid() != 0) {
    expect_untouched(repo.path());
    test::shell("chmod -R u+w " + test::shell_quoted(repo.path()));
    return;
  }
  fs::permissions(temp.path(), fs::perms::all);
  const std::string as_nobody = "cd / && setpriv --reuid=65534 --regid=65534 --clear-groups ";
  const std::string program = test::shell_quoted(fs::read_symlink("/proc/self/exe"));
  try {
    test::shell(as_nobody + "test -x " + program);
  } catch (const std::exception&) {
    GTEST_SKIP() << "another user cannot run " << program;
  }
  const auto before = test::state_of(repo.path());
  std::string output;
  try {
    output =
        test::shell(as_nobody +
                    "env HOME=/nonexistent GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory "
                    "GIT_CONFIG_VALUE_0='*' BISECT_RUN_TEST_REPO=" +
                    test::shell_quoted(repo.path()) +
                    " BISECT_RUN_TEST_OWN=" + test::shell_quoted(temp / "own-of-nobody") +
                    " BISECT_RUN_TEST_COMMIT=" + commits[3] + " " + program +
                    " --gtest_also_run_disabled_tests --gtest_filter=ReadOnly.DISABLED_AsNobody");
  } catch (const std::exception& failure) {
    FAIL() << failure.what();
  }
  EXPECT_NE(output.find("[  PASSED  ] 1 test"), std::string::npos) << output;
  EXPECT_EQ(test::difference(before, test::state_of(repo.path())), "");
}

/// Run by the test above, as another user.
TEST(ReadOnly, DISABLED_AsNobody) {
  const auto repository = Repository::open(getenv("BISECT_RUN_TEST_REPO"));
  ASSERT_TRUE(repository) << repository.error().message;
  ASSERT_TRUE(repository->resolve("v1"));
  auto tree = WorkTree::open(getenv("BISECT_RUN_TEST_OWN"), *repository);
  ASSERT_TRUE(tree) << tree.error().message;
  ASSERT_TRUE(tree->checkout(Oid{getenv("BISECT_RUN_TEST_COMMIT")}, {}));
}

}  // namespace
}  // namespace bisect_run::git
