#include "git/work_tree.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <map>

#include "support/directory_state.h"
#include "support/git_repo.h"

namespace bisect_run::git {
namespace {

namespace fs = std::filesystem;
using test::GitRepo;
using test::TempDir;

class WorkTreeTest : public testing::Test {
 protected:
  void SetUp() override {
    repo.write("Makefile", "VERSION = 1\n");
    repo.write("kernel/a.c", "int a;\n");
    repo.write("kernel/b.c", "int b;\n");
    repo.write("old/gone.c", "x\n");
    one = repo.commit("one");
    repo.write("kernel/a.c", "int a = 2;\n");
    repo.git("rm -q old/gone.c");
    repo.write("new/script.sh", "#!/bin/sh\n");
    test::shell("chmod +x " + test::shell_quoted(repo.path() / "new/script.sh"));
    fs::create_symlink("kernel/a.c", repo.path() / "link");
    two = repo.commit("two");
  }

  Repository origin() { return std::move(*Repository::open(repo.path())); }
  WorkTree open() {
    auto opened = WorkTree::open(own, origin());
    if (!opened) throw std::runtime_error(opened.error().message);
    return std::move(*opened);
  }

  /// What lies on disk, as git would name it: independent of our index.
  std::string tree_on_disk() {
    const std::string git = std::string(GitRepo::clean) +
                            "GIT_DIR=" + test::shell_quoted(temp / "judge") +
                            " GIT_WORK_TREE=" + test::shell_quoted(own / "tree") + " git ";
    fs::remove_all(temp / "judge");
    std::string tree = test::shell(git + "init -q && cd " + test::shell_quoted(own / "tree") +
                                   " && " + git + "add -A -f . && " + git + "write-tree");
    tree.pop_back();
    return tree;
  }
  std::string tree_of(const std::string& commit) {
    return repo.git("rev-parse " + commit + "^{tree}");
  }

  void expect_checkout(WorkTree& tree, const std::string& commit) {
    const auto name = tree.checkout(Oid{commit}, {});
    ASSERT_TRUE(name) << name.error().message << "\n" << name.error().detail;
    EXPECT_EQ(*name, tree_of(commit));
    EXPECT_EQ(tree_on_disk(), tree_of(commit));
  }

  TempDir temp;
  GitRepo repo{temp / "origin"};
  fs::path own = temp / "cache" / "own";
  std::string one, two;
  const std::string patch_a =
      "--- a/kernel/a.c\n+++ b/kernel/a.c\n@@ -1 +1 @@\n-int a;\n+int patched;\n";
  const std::string patch_new = "--- /dev/null\n+++ b/kernel/extra/n.c\n@@ -0,0 +1 @@\n+int n;\n";
};

TEST_F(WorkTreeTest, ShowsEachCommitExactly) {
  WorkTree tree = open();
  EXPECT_EQ(tree.path(), own / "tree");
  EXPECT_FALSE(fs::exists(tree.path() / ".git"));
  for (const std::string& commit : {one, two, two, one}) expect_checkout(tree, commit);
}

TEST_F(WorkTreeTest, RewritesOnlyWhatDiffers) {
  WorkTree tree = open();
  expect_checkout(tree, one);
  const auto before = test::state_of(tree.path() / "kernel");
  const auto top = test::state_of(tree.path() / "Makefile");
  expect_checkout(tree, two);
  EXPECT_EQ(test::difference(before, test::state_of(tree.path() / "kernel")),
            "changed: " + (tree.path() / "kernel").string() +
                "\nchanged: " + (tree.path() / "kernel/a.c").string() + "\n");
  EXPECT_EQ(top, test::state_of(tree.path() / "Makefile"));
  const auto same = test::state_of(tree.path());
  expect_checkout(tree, two);
  EXPECT_EQ(test::difference(same, test::state_of(tree.path())), "");
}

TEST_F(WorkTreeTest, PutsPatchesOnAndTakesThemOff) {
  WorkTree tree = open();
  const auto patched = tree.checkout(Oid{one}, {{"a", patch_a}, {"n", patch_new}});
  ASSERT_TRUE(patched) << patched.error().message;
  EXPECT_EQ(test::read_file(tree.path() / "kernel/a.c"), "int patched;\n");
  EXPECT_EQ(tree_on_disk(), *patched);
  const auto reopened_state = test::state_of(tree.path());
  {
    WorkTree closing = std::move(tree);
  }
  tree = open();
  EXPECT_EQ(*tree.checkout(Oid{one}, {{"a", patch_a}, {"n", patch_new}}), *patched);
  EXPECT_EQ(test::difference(reopened_state, test::state_of(tree.path())), "");
  expect_checkout(tree, one);
  EXPECT_FALSE(fs::exists(tree.path() / "kernel/extra"));
}

TEST_F(WorkTreeTest, LeavesTheFilesWhenAPatchDoesNotFit) {
  WorkTree tree = open();
  expect_checkout(tree, one);
  const auto before = test::state_of(tree.path());
  const auto refused = tree.checkout(Oid{two}, {{"fix.patch", patch_a}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::usage);
  EXPECT_EQ(refused.error().message,
            "patch fix.patch: kernel/a.c: hunk 1 of 1 (@@ -1 +1 @@) does not fit");
  EXPECT_EQ(test::difference(before, test::state_of(tree.path())), "");
}

TEST_F(WorkTreeTest, TakesACommitBackAsGitRevertDoes) {
  repo.write("kernel/b.c", "int b;\nint c;\n");
  repo.commit("three");
  const std::string bad = repo.git("rev-parse HEAD");
  const Repository source = origin();
  const auto undoing = source.undoing_patch_of(Oid{two});
  ASSERT_TRUE(undoing);
  const std::vector<Patch> patches{{"revert", *undoing}};
  WorkTree tree = open();
  EXPECT_TRUE(tree.fits(Oid{bad}, patches));
  repo.git("revert --no-edit " + two);
  const auto name = tree.checkout(Oid{bad}, patches);
  ASSERT_TRUE(name) << name.error().message;
  EXPECT_EQ(*name, tree_of("HEAD"));
  EXPECT_EQ(tree_on_disk(), tree_of("HEAD"));
}

TEST_F(WorkTreeTest, SaysWhatCannotBeTakenBack) {
  repo.write("kernel/a.c", "int a = 3;\n");
  const std::string bad = repo.commit("three");
  repo.git("checkout -q -b side " + one);
  repo.write("side.c", "int s;\n");
  repo.commit("side");
  repo.git("merge -q -m merged main");
  const Repository source = origin();
  const auto undoing = source.undoing_patch_of(Oid{two});
  ASSERT_TRUE(undoing);
  const auto fits = open().fits(Oid{bad}, {{"revert", *undoing}});
  ASSERT_FALSE(fits);
  EXPECT_EQ(fits.error().kind, ErrorKind::usage);
  const auto merge = source.undoing_patch_of(Oid{repo.git("rev-parse HEAD")});
  ASSERT_FALSE(merge);
  EXPECT_NE(merge.error().message.find("is a merge"), std::string::npos);
  EXPECT_NE(source.undoing_patch_of(Oid{one}).error().message.find("no parent"), std::string::npos);
}

TEST_F(WorkTreeTest, AChangeTooLongForAPatchIsNotTaken) {
  std::string lines;
  for (int i = 0; lines.size() <= kLongestPatch; ++i)
    lines += "/* line " + std::to_string(i) + " of very many */\n";
  repo.write("kernel/long.c", lines);
  const Oid big{repo.commit("four")};
  const Repository source = origin();
  for (const auto& text : {source.patch_of(big), source.undoing_patch_of(big)}) {
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().kind, ErrorKind::usage);
    EXPECT_NE(text.error().message.find("more than 16 MiB are not taken"), std::string::npos);
  }
}

TEST_F(WorkTreeTest, CleansWhatOthersLeftBehind) {
  WorkTree tree = open();
  expect_checkout(tree, one);
  test::write_file(tree.path() / "kernel/a.c", "int tampered;\n");
  test::write_file(tree.path() / "include/generated/x.h", "left over\n");
  test::write_file(tree.path() / "nested/.git/HEAD", "ref: refs/heads/x\n");
  fs::remove(tree.path() / "kernel/b.c");
  expect_checkout(tree, one);
  expect_checkout(tree, two);
}

TEST_F(WorkTreeTest, HealsAStaleLockAndABrokenIndexAndALostTree) {
  {
    WorkTree tree = open();
    expect_checkout(tree, two);
  }
  test::write_file(own / "repo.git/index.lock", "");
  {
    WorkTree tree = open();
    expect_checkout(tree, one);
  }
  test::write_file(own / "repo.git/index", "DIRC torn");
  {
    WorkTree tree = open();
    expect_checkout(tree, two);
  }
  fs::remove(own / "repo.git/HEAD");
  {
    WorkTree tree = open();
    expect_checkout(tree, two);
  }
  fs::remove_all(own / "tree");
  {
    WorkTree tree = open();
    expect_checkout(tree, one);
  }
}

TEST_F(WorkTreeTest, TurnsToAnotherRepository) {
  {
    WorkTree tree = open();
    expect_checkout(tree, two);
  }
  const GitRepo other(temp / "other");
  other.write("kernel/a.c", "another\n");
  other.write("kernel/b.c", "int b;\n");
  const std::string commit = other.commit("other");
  auto tree = WorkTree::open(own, *Repository::open(other.path()));
  ASSERT_TRUE(tree) << tree.error().message;
  ASSERT_TRUE(tree->checkout(Oid{commit}, {}));
  EXPECT_EQ(tree_on_disk(), other.git("rev-parse HEAD^{tree}"));
}

TEST_F(WorkTreeTest, BorrowsFromBareLinkedAndBorrowingRepositories) {
  repo.git("clone -q --bare . ../mirror.git");
  repo.git("worktree add -q --detach ../linked main");
  repo.git("clone -q --shared --bare . ../borrower.git");
  // A relative name, understood from the borrower only.
  test::write_file(temp / "borrower.git/objects/info/alternates", "../../mirror.git/objects\n");
  for (const std::string name : {"mirror.git", "linked", "borrower.git"}) {
    auto tree = WorkTree::open(own, *Repository::open(temp / name));
    ASSERT_TRUE(tree) << tree.error().message;
    expect_checkout(*tree, one);
    const auto patched = tree->checkout(Oid{one}, {{"a", patch_a}});
    ASSERT_TRUE(patched) << patched.error().message;
  }
}

TEST_F(WorkTreeTest, TakesTheBytesAsTheyAre) {
  repo.write(".gitattributes", "*.c text eol=crlf ident filter=lfs working-tree-encoding=UTF-16\n");
  test::write_file(temp / "blob", "$Id$\nplain\n");
  repo.git("update-index --add --cacheinfo 100644,$(git hash-object -w --no-filters ../blob),x.c");
  repo.git("add .gitattributes");
  repo.git("commit -q -m attributes");
  WorkTree tree = open();
  const auto name = tree.checkout(Oid{repo.git("rev-parse HEAD")}, {});
  ASSERT_TRUE(name) << name.error().message;
  EXPECT_EQ(test::read_file(tree.path() / "x.c"), "$Id$\nplain\n");
}

TEST_F(WorkTreeTest, C18SkipsSubmodulesBeforeItTouchesAFile) {
  WorkTree tree = open();
  expect_checkout(tree, one);
  repo.git("update-index --add --cacheinfo 160000," + one + ",deep/er/sub");
  repo.git("commit -q -m submodule");
  const auto before = test::state_of(tree.path());
  const auto refused = tree.checkout(Oid{repo.git("rev-parse HEAD")}, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::skip_build);
  EXPECT_NE(refused.error().message.find("submodules"), std::string::npos);
  EXPECT_EQ(test::difference(before, test::state_of(tree.path())), "");
}

TEST_F(WorkTreeTest, DeletesNothingThatIsNotItsOwn) {
  test::write_file(own / "precious", "work of years");
  const auto refused = WorkTree::open(own, origin());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::usage);
  EXPECT_EQ(test::read_file(own / "precious"), "work of years");
  EXPECT_EQ(std::distance(fs::directory_iterator(own), {}), 1);
}

TEST_F(WorkTreeTest, HasOneUserAtATime) {
  const WorkTree tree = open();
  const auto second = WorkTree::open(own, origin());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ErrorKind::usage);
  EXPECT_NE(second.error().message.find("in use by process " + std::to_string(getpid())),
            std::string::npos);
}

TEST_F(WorkTreeTest, SaysWhenTheOriginLostAnObject) {
  WorkTree tree = open();
  const std::string blob = repo.git("rev-parse HEAD:new/script.sh");
  fs::remove(repo.path() / ".git/objects" / blob.substr(0, 2) / blob.substr(2));
  const auto failed = tree.checkout(Oid{two}, {});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, ErrorKind::infra);
  expect_checkout(tree, one);
}

}  // namespace
}  // namespace bisect_run::git
