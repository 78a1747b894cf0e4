#include "git/apply.h"

#include <gtest/gtest.h>

#include <random>

#include "git/fit.h"
#include "git/repository_access.h"
#include "support/git_repo.h"

namespace bisect_run::git {
namespace {

using test::GitRepo;
using test::TempDir;

struct Applied {
  Oid tree;
  std::string error;
};

class ApplyTest : public testing::Test {
 protected:
  Applied apply(const std::string& commit, const std::vector<Patch>& patches) {
    const auto repository = Repository::open(repo.path());
    const auto tree = apply_to_tree(RepositoryAccess::handle(*repository), Oid{commit}, patches);
    if (tree) return {*tree, ""};
    EXPECT_EQ(tree.error().kind, ErrorKind::usage);
    return {Oid{}, tree.error().message};
  }
  std::string tree_of(const std::string& commit) {
    return repo.git("rev-parse " + commit + "^{tree}");
  }
  std::string diff(const std::string& from, const std::string& to,
                   const std::string& options = "") {
    return repo.git("diff " + options + " " + from + " " + to) + "\n";
  }

  TempDir temp;
  GitRepo repo{temp / "r"};
};

TEST_F(ApplyTest, AddsRemovesRenamesAndChangesModes) {
  repo.write("keep", "k\n");
  repo.write("dir/a.c", "1\n2\n3\n4\n5\n");
  repo.write("dir/only/deep.c", "x\n");
  repo.write("dir.h", "h\n");
  repo.write("run.sh", "echo\n");
  const std::string before = repo.commit("before");
  repo.write("dir/a.c", "1\n2\nthree\n4\n5\n");
  repo.write("dir0", "sorts behind the directory\n");
  repo.write("new/deep/er/file.c", "new\n");
  repo.git("rm -q dir/only/deep.c");
  repo.git("mv dir.h dir2.h");
  test::shell("chmod +x " + test::shell_quoted(repo.path() / "run.sh"));
  const std::string after = repo.commit("after");
  for (const std::string options : {"", "-M", "--no-renames", "-U1", "--full-index"})
    EXPECT_EQ(apply(before, {{"p", diff(before, after, options)}}).tree.hex, tree_of(after))
        << options;
  EXPECT_EQ(apply(after, {{"p", diff(after, before)}}).tree.hex, tree_of(before));
  EXPECT_EQ(apply(before, {}).tree.hex, tree_of(before));
}

TEST_F(ApplyTest, AppliesSeriesInOrderEachOnTopOfTheLast) {
  repo.write("f", "a\nb\nc\n");
  const std::string before = repo.commit("before");
  repo.write("f", "a\nB\nc\n");
  repo.commit("one");
  repo.write("f", "a\nBB\nc\n");
  const std::string after = repo.commit("two");
  // One mailbox with two mails that change the same line, and the same as two patches.
  const std::string mails = repo.git("format-patch --stdout " + before) + "\n";
  EXPECT_EQ(apply(before, {{"series.mbox", mails}}).tree.hex, tree_of(after));
  EXPECT_EQ(
      apply(before, {{"1", diff(before, after + "~1")}, {"2", diff(after + "~1", after)}}).tree.hex,
      tree_of(after));
}

TEST_F(ApplyTest, CopiesAFileAsItWasBeforeThePatch) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "line " + std::to_string(i) + "\n";
  repo.write("f", text);
  const std::string before = repo.commit("before");
  repo.write("f", "first\n" + text);
  repo.write("g", text);            // equal to what f was
  repo.write("h", text + "end\n");  // … and nearly so
  repo.commit("one");
  repo.write("f", "zeroth\nfirst\n" + text);
  repo.write("i", "first\n" + text);
  const std::string after = repo.commit("two");
  const std::string copies = "-C --find-copies-harder";
  const std::string one = diff(before, after + "~1", copies),
                    two = diff(after + "~1", after, copies);
  EXPECT_NE(one.find("copy to g"), std::string::npos);
  EXPECT_EQ(apply(before, {{"1", one}}).tree.hex, tree_of(after + "~1"));
  EXPECT_EQ(apply(before, {{"1", one}, {"2", two}}).tree.hex, tree_of(after));
  const std::string mails = repo.git("format-patch --stdout " + copies + " " + before) + "\n";
  EXPECT_EQ(apply(before, {{"series.mbox", mails}}).tree.hex, tree_of(after));
}

TEST_F(ApplyTest, TakesPlainDiffsWithNewAndRemovedFiles) {
  repo.write("keep", "k\n");
  repo.write("gone", "g\n");
  const std::string before = repo.commit("before");
  test::shell("cd " + test::shell_quoted(temp.path()) +
              " && mkdir a b && cp r/keep r/gone a && cp r/keep b && echo new > b/new");
  test::shell("cd " + test::shell_quoted(temp.path()) + " && ! TZ=UTC+7 diff -Nur a b > plain");
  repo.git("rm -q gone");
  repo.write("new", "new\n");
  const std::string after = repo.commit("after");
  const auto plain = test::read_file(temp / "plain");
  EXPECT_EQ(apply(before, {{"plain", plain}}).tree.hex, tree_of(after));
}

TEST_F(ApplyTest, NamesPatchFileAndHunkAndWritesNothing) {
  repo.write("f", "a\nb\nc\n");
  repo.write("g", "x\n");
  const std::string before = repo.commit("before");
  const auto objects = [&] {
    return repo.git("cat-file --batch-all-objects --batch-check | sort");
  };
  const std::string there = objects();
  const std::string good = "--- a/g\n+++ b/g\n@@ -1 +1 @@\n-x\n+y\n";
  const std::string again = "--- a/g\n+++ b/g\n@@ -1 +1 @@\n-y\n+z\n";
  const auto expect = [&](const std::string& bad, const std::string& message) {
    const std::vector<Patch> patches{{"ok.patch", good}, {"bad.patch", again + bad}};
    EXPECT_EQ(apply(before, patches).error, "patch bad.patch: " + message);
    const auto fit = require_fit(*Repository::open(repo.path()), {before}, patches);
    EXPECT_EQ(fit ? "fits" : fit.error().message, "patch bad.patch: " + message);
  };
  expect("--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@ main\n a\n-X\n+Y\n",
         "f: hunk 1 of 1 (@@ -1,2 +1,2 @@ main) does not fit");
  expect("--- a/none\n+++ b/none\n@@ -1 +1 @@\n-x\n+y\n", "none is not there at this commit");
  expect("--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+y\n",
         "f is there already at this commit: applied before?");
  expect("--- /dev/null\n+++ b/f/below\n@@ -0,0 +1 @@\n+y\n",
         "f/below: f is a file, not a directory");
  expect("--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
         "f: hunk 1 of 1 (@@ -1 +0,0 @@) does not fit");
  const std::vector<Patch> fitting{{"ok.patch", good}, {"again.patch", again}};
  EXPECT_TRUE(require_fit(*Repository::open(repo.path()), {before}, fitting));
  EXPECT_EQ(objects(), there);
}

/// Random edits, as git diffs them, applied to a base that has moved on; git apply is the judge.
TEST_F(ApplyTest, AgreesWithGitApply) {
  std::mt19937 random(11);
  const auto below = [&random](int n) { return std::uniform_int_distribution<>(0, n - 1)(random); };
  const auto edited = [&](std::vector<std::string> lines, int edits) {
    for (; edits > 0; --edits) {
      const int at = below(static_cast<int>(lines.size()) + 1);
      if (below(2) && at < static_cast<int>(lines.size()))
        lines.erase(lines.begin() + at);
      else
        lines.insert(lines.begin() + at, "line " + std::to_string(below(6)));
    }
    return lines;
  };
  const auto text = [&](const std::vector<std::string>& lines, bool may_end_open = true) {
    std::string all;
    for (const auto& line : lines) all += line + "\n";
    if (may_end_open && !all.empty() && below(6) == 0) all.pop_back();
    return all;
  };
  int fitted = 0, refused = 0;
  for (int round = 0; round < 40; ++round) {
    // Few different lines, so that hunks often fit in several places.
    const std::vector<std::string> base = edited({}, 15 + below(40));
    // git lets an open last line of a patch match in the middle of a file; we are stricter.
    repo.write("f", text(base, false));
    const std::string one = repo.commit("one");
    repo.write("f", text(edited(base, 1 + below(5))));
    const std::string two = repo.commit("two");
    repo.git("checkout -q " + one);
    repo.write("f", text(edited(base, below(5))));
    const std::string other = repo.commit("other");
    const std::string patch = diff(one, two, "-U" + std::to_string(1 + below(3)));
    if (patch == "\n") continue;
    test::write_file(temp / "patch", patch);
    std::string expected;
    try {
      repo.git("apply --cached --whitespace=nowarn ../patch");
      expected = repo.git("write-tree");
    } catch (const std::exception&) {
    }
    const Applied applied = apply(other, {{"p", patch}});
    ASSERT_EQ(applied.tree.hex, expected) << applied.error << "\n"
                                          << patch << "\non\n"
                                          << repo.git("show HEAD:f");
    ++(expected.empty() ? refused : fitted);
    repo.git("reset -q --hard");
  }
  EXPECT_GT(fitted, 8);
  EXPECT_GT(refused, 2);
}

}  // namespace
}  // namespace bisect_run::git
