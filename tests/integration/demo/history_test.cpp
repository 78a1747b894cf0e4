#include "demo/history.h"

#include <gtest/gtest.h>

#include <sstream>

#include "git/kernel_tree.h"
#include "git/repository.h"
#include "git/work_tree.h"
#include "support/directory_state.h"
#include "support/git_repo.h"

namespace bisect_run::demo {
namespace {

namespace fs = std::filesystem;
using test::shell;
using test::shell_quoted;
using test::TempDir;
using test::write_file;

std::string patch_of(const std::string& file, const std::string& from, const std::string& to) {
  return file + ": from " + from + " to " + to + "\n\nBecause.\n\n--- a/" + file + "\n+++ b/" +
         file + "\n@@ -1 +1 @@\n-" + from + "\n+" + to + "\n";
}

/// A tiny "kernel" and a recipe with a nested branch over it.
class DemoHistory : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path top = temp / "linux-source-6.1";
    for (const std::string name : {"a", "b", "c", "dir/d"}) write_file(top / name, "0\n");
    write_file(top / "odd name\"x", "quoted\n");
    write_file(top / "empty", "");
    write_file(top / "scripts/run.sh", "#!/bin/sh\n");
    shell("chmod +x " + shell_quoted(top / "scripts/run.sh"));
    fs::create_symlink("../a", top / "dir/link");
    make_tarball();
    write_file(recipe / "patches/a1.patch", patch_of("a", "0", "1"));
    write_file(recipe / "patches/b1.patch", patch_of("b", "0", "1"));
    write_file(recipe / "patches/c1.patch", patch_of("c", "0", "1"));
    write_file(recipe / "patches/d1.patch", patch_of("dir/d", "0", "1"));
    write_file(
        recipe / "recipe.txt",
        "# test\nroot Sources\nmark good\npick a1\nbranch one\npick b1\nmark planted\nbranch two\n"
        "pick c1\nswitch one\nmerge two Nested\nswitch main\npick d1\nmerge one Topic\nmark bad\n");
  }

  void make_tarball() {
    shell("cd " + shell_quoted(temp.path()) + " && tar -cJf source.tar.xz linux-source-6.1");
  }
  Result<History> ensure(const fs::path& directory, std::stop_token stop = {}) {
    return ensure_history(
        directory, recipe, stop,
        [this](double fraction, std::string_view) {
          EXPECT_GE(fraction, last);
          EXPECT_LE(fraction, 1);
          last = fraction;
        },
        temp / "source.tar.xz");
  }
  std::string git(const History& history, const std::string& arguments) {
    std::string out = shell(std::string(test::GitRepo::clean) + "git -C " +
                            shell_quoted(history.repository) + " " + arguments);
    if (out.ends_with('\n')) out.pop_back();
    return out;
  }
  static void expect_error(const Result<History>& result, ErrorKind kind, const std::string& part) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, kind);
    EXPECT_NE(result.error().message.find(part), std::string::npos) << result.error().message;
  }

  TempDir temp;
  fs::path recipe = temp / "recipe";
  double last = 0;
};

TEST_F(DemoHistory, HasTheSourcesAsTheyCameAndTheCommitsOfTheRecipe) {
  const auto history = ensure(temp / "demo");
  ASSERT_TRUE(history) << history.error().message << history.error().detail;
  EXPECT_EQ(last, 1);
  EXPECT_EQ(git(*history, "rev-parse demo-good demo-bad demo-bad^2^1"),
            history->good.hex + "\n" + history->bad.hex + "\n" + history->planted.hex);
  EXPECT_EQ(
      git(*history, "log --topo-order --format=%s demo-bad"),
      "Topic\nNested\nc: from 0 to 1\nb: from 0 to 1\ndir/d: from 0 to 1\na: from 0 to 1\nSources");
  EXPECT_EQ(git(*history, "log -1 --format='%an <%ae> %ct%n%B' demo-bad^"),
            "Demo Author <demo@bisect-run.invalid> 1672614000\ndir/d: from 0 to 1\n\nBecause.\n");
  fs::create_directory(temp / "out");
  git(*history, "archive demo-good | tar -x -C " + shell_quoted(temp / "out"));
  EXPECT_EQ(shell("diff -r --no-dereference " + shell_quoted(temp / "linux-source-6.1") + " " +
                  shell_quoted(temp / "out")),
            "");
  EXPECT_EQ(shell("cat " + shell_quoted(temp / "out/scripts/run.sh") + "; test -x " +
                  shell_quoted(temp / "out/scripts/run.sh")),
            "#!/bin/sh\n");
  EXPECT_EQ(git(*history, "fsck --strict --no-progress 2>&1"), "");
  // A merge that git makes by itself gives the same tree.
  for (const std::string merge : {"demo-bad", "demo-bad^2"})
    EXPECT_EQ(git(*history, "merge-tree --write-tree " + merge + "^1 " + merge + "^2"),
              git(*history, "rev-parse " + merge + "^{tree}"));
}

TEST_F(DemoHistory, IsTheSameEverywhereAndTakenUpWhenFinished) {
  const auto first = ensure(temp / "one");
  last = 0;
  const auto second = ensure(temp / "two");
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->bad, second->bad);
  const auto before = test::state_of(first->repository);
  const auto again = ensure(temp / "one");
  ASSERT_TRUE(again);
  EXPECT_EQ(again->bad, first->bad);
  EXPECT_EQ(test::difference(before, test::state_of(first->repository)), "");
}

TEST_F(DemoHistory, IsMadeAnewWhenHalfMadeDamagedOrOutOfDate) {
  ASSERT_TRUE(ensure(temp / "demo"));
  fs::remove(temp / "demo/finished");
  write_file(temp / "demo/linux.git/objects/pack/tmp_pack_x", "torn");
  last = 0;
  const auto anew = ensure(temp / "demo");
  ASSERT_TRUE(anew) << anew.error().message;
  EXPECT_FALSE(fs::exists(temp / "demo/linux.git/objects/pack/tmp_pack_x"));
  fs::remove_all(temp / "demo/linux.git/objects");
  last = 0;
  ASSERT_TRUE(ensure(temp / "demo"));
  EXPECT_EQ(git(*anew, "rev-parse demo-bad"), anew->bad.hex);
  write_file(recipe / "patches/d1.patch", patch_of("dir/d", "0", "2"));
  last = 0;
  const auto changed = ensure(temp / "demo");
  ASSERT_TRUE(changed);
  EXPECT_NE(changed->bad, anew->bad);
  EXPECT_EQ(changed->planted, anew->planted);
}

TEST_F(DemoHistory, CanBeStopped) {
  std::stop_source stop;
  stop.request_stop();
  expect_error(ensure(temp / "demo", stop.get_token()), ErrorKind::interrupted, "stopped");
  EXPECT_FALSE(fs::exists(temp / "demo/finished"));
  last = 0;
  EXPECT_TRUE(ensure(temp / "demo"));
}

TEST_F(DemoHistory, SaysWhatIsMissingOrWrong) {
  const auto missing = ensure_history(
      temp / "demo", recipe, {}, [](double, std::string_view) {}, temp / "none.tar.xz");
  expect_error(missing, ErrorKind::usage, "apt-get install linux-source-6.1");
  EXPECT_FALSE(fs::exists(temp / "demo"));
  write_file(temp / "mine/thesis.tex", "years of work");
  expect_error(ensure(temp / "mine"), ErrorKind::usage, "thesis.tex");
  write_file(recipe / "patches/d1.patch", patch_of("dir/d", "7", "8"));
  expect_error(ensure(temp / "demo"), ErrorKind::usage, "patch d1.patch: dir/d: hunk 1 of 1");
  EXPECT_FALSE(fs::exists(temp / "demo/finished"));
}

TEST_F(DemoHistory, SeesADamagedTarball) {
  const std::string whole = test::read_file(temp / "source.tar.xz");
  write_file(temp / "source.tar.xz", whole.substr(0, whole.size() / 2));
  expect_error(ensure(temp / "demo"), ErrorKind::infra, "--reinstall linux-source-6.1");
  EXPECT_FALSE(fs::exists(temp / "demo/finished"));
}

/// `demo --small`: its patch fits, too.
TEST(ShippedHistory, TheSmallChangeFitsTheRealSources) {
  if (!fs::exists(default_tarball())) GTEST_SKIP() << "no " << default_tarball();
  TempDir temp;
  const auto history = ensure_history(
      temp / "demo", fs::path(BISECT_RUN_SOURCE_DIR) / "harness/demo", {},
      [](double, std::string_view) {}, default_tarball(), Effect::small);
  ASSERT_TRUE(history) << history.error().message << history.error().detail;
  const auto repository = git::Repository::open(history->repository);
  ASSERT_TRUE(repository);
  const auto planted = repository->patch_of(history->planted);
  ASSERT_TRUE(planted);
  EXPECT_NE(planted->find("jhash"), std::string::npos);
  EXPECT_EQ(planted->find("synchronize_rcu();"), std::string::npos);
}

/// The recipe that ships, over the real sources: about 15 s on two idle cores.
TEST(ShippedHistory, FitsTheRealSources) {
  if (!fs::exists(default_tarball())) GTEST_SKIP() << "no " << default_tarball();
  TempDir temp;
  const auto history =
      ensure_history(temp / "demo", fs::path(BISECT_RUN_SOURCE_DIR) / "harness/demo", {},
                     [](double, std::string_view) {});
  ASSERT_TRUE(history) << history.error().message << history.error().detail;
  const auto repository = git::Repository::open(history->repository);
  ASSERT_TRUE(repository);
  EXPECT_TRUE(git::is_kernel_tree(*repository, history->bad));
  const auto range = repository->range(history->good, history->bad);
  ASSERT_TRUE(range);
  EXPECT_GE(range->candidates(), 50u);
  EXPECT_NE(repository->patch_of(history->planted)->find("synchronize_rcu();"), std::string::npos);
  const std::string git =
      std::string(test::GitRepo::clean) + "git -C " + shell_quoted(history->repository);
  int merges = 0;
  for (const Commit& commit : range->nodes) {
    if (commit.parents.size() < 2) continue;
    ++merges;
    EXPECT_EQ(shell(git + " merge-tree --write-tree " + commit.parents[0].hex + " " +
                    commit.parents[1].hex),
              *repository->tree_name(commit.oid) + "\n")
        << commit.subject;
  }
  EXPECT_GE(merges, 5);
}

}  // namespace
}  // namespace bisect_run::demo
