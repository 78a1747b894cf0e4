// Patches and repositories of strangers, with a judge outside: a file that they must not reach.
#include <gtest/gtest.h>

#include "git/repository.h"
#include "git/work_tree.h"
#include "support/directory_state.h"
#include "support/git_repo.h"

namespace bisect_run::git {
namespace {

namespace fs = std::filesystem;
using test::GitRepo;
using test::TempDir;

class Hostile : public testing::Test {
 protected:
  void SetUp() override {
    test::write_file(outside / "precious", "work of years\n");
    before = test::state_of(outside);
    repo.write("Makefile", "all:\n");
    repo.write("dir/a.c", "int a;\n");
    base = repo.commit("base");
  }
  void TearDown() override {
    EXPECT_EQ(test::difference(before, test::state_of(outside)), "");
    EXPECT_FALSE(fs::exists(own / "tree/.git"));
  }

  WorkTree open() { return std::move(*WorkTree::open(own, *Repository::open(repo.path()))); }

  /// The complaint about a patch on the base; empty if it was taken.
  std::string refused(WorkTree& tree, const std::string& patch) {
    const auto taken = tree.checkout(Oid{base}, {{"p", patch}});
    if (!taken) {
      EXPECT_EQ(taken.error().kind, ErrorKind::usage) << taken.error().message;
    }
    return taken ? "" : taken.error().message;
  }

  static std::string new_file(const std::string& path, const std::string& mode = "100644",
                              const std::string& text = "theirs") {
    return "diff --git a/" + path + " b/" + path + "\nnew file mode " + mode +
           "\n--- /dev/null\n+++ b/" + path + "\n@@ -0,0 +1 @@\n+" + text + "\n";
  }
  static std::string link(const std::string& path, const std::string& target) {
    return new_file(path, "120000", target) + "\\ No newline at end of file\n";
  }

  TempDir temp;
  GitRepo repo{temp / "r"};
  fs::path own = temp / "own", outside = temp / "outside";
  std::string base;
  decltype(test::state_of(fs::path())) before;
};

TEST_F(Hostile, APatchNamesNothingOutsideItsTree) {
  auto tree = open();
  const std::string place = (outside / "precious").string();
  for (const std::string& path :
       {std::string("../outside/precious"), std::string("dir/../../outside/precious"), place,
        "/" + place, std::string(".git/hooks/post-checkout"), std::string("dir/.git/config"),
        std::string(".GIT/config")})
    EXPECT_NE(refused(tree, new_file(path)).find("leaves the source tree"), std::string::npos)
        << path;
  for (const std::string header : {"rename", "copy"})
    EXPECT_NE(refused(tree, "diff --git a/dir/a.c b/x\n" + header + " from dir/a.c\n" + header +
                                " to ../outside/precious\n")
                  .find("leaves the source tree"),
              std::string::npos);
  EXPECT_NE(refused(tree,
                    "--- \"a/dir/a.c\"\n+++ \"b/\\056./outside/precious\"\n@@ -1 +1 @@\n-int "
                    "a;\n+int b;\n")
                .find("leaves the source tree"),
            std::string::npos);
}

TEST_F(Hostile, APatchWritesThroughNoLink) {
  auto tree = open();
  // A link that the patch brings along, to a directory and to a file; in one patch and in two.
  EXPECT_NE(refused(tree, link("way", "../../outside") + new_file("way/precious"))
                .find("way is a file, not a directory"),
            std::string::npos);
  const auto two = tree.checkout(
      Oid{base}, {{"1", link("way", outside.string())}, {"2", new_file("way/precious")}});
  EXPECT_FALSE(two);
  EXPECT_NE(
      refused(tree, link("dir/b.c", (outside / "precious").string()) +
                        "--- a/dir/b.c\n+++ b/dir/b.c\n@@ -1 +1 @@\n-work of years\n+theirs\n"),
      "");
  // The link alone is a file like any other, and so is one that the tree has already.
  EXPECT_EQ(refused(tree, link("way", outside.string())), "");
  EXPECT_EQ(fs::read_symlink(tree.path() / "way"), outside);
  repo.git("checkout -q -b links");
  fs::create_symlink(outside, repo.path() / "way");
  base = repo.commit("links");
  EXPECT_NE(refused(tree, new_file("way/precious")), "");
  // What was a link becomes a directory: the link goes first.
  ASSERT_TRUE(tree.checkout(Oid{base}, {}));
  repo.git("rm -q way");
  repo.write("way/precious", "the tree's\n");
  ASSERT_TRUE(tree.checkout(Oid{repo.commit("directory")}, {}));
  EXPECT_EQ(test::read_file(tree.path() / "way/precious"), "the tree's\n");
  ASSERT_TRUE(tree.checkout(Oid{base}, {}));
}

TEST_F(Hostile, APatchGivesNoModeThatGitDoesNotKnow) {
  auto tree = open();
  for (const std::string mode :
       {"040000", "160000", "100777", "104755", "060000", "0", "777777777"})
    EXPECT_NE(refused(tree, new_file("x", mode)), "") << mode;
  EXPECT_EQ(refused(tree, new_file("x", "100755")), "");
}

TEST_F(Hostile, ACommitWithNamesThatGitDoesNotTakeIsASkip) {
  auto tree = open();
  ASSERT_TRUE(tree.checkout(Oid{base}, {}));
  const auto there = test::state_of(tree.path());
  const std::string blob = repo.git("hash-object -w --stdin < Makefile");
  for (const std::string name : {"..", ".git", ".", ".GIT"}) {
    // A tree object of raw bytes: git's own tools would not make it.
    const std::string entry = "100644 " + name + "\\0";
    std::string bytes;
    for (std::size_t i = 0; i < blob.size(); i += 2) {
      const int byte = std::stoi(blob.substr(i, 2), nullptr, 16);
      for (const int shift : {6, 3, 0})
        bytes += (shift == 6 ? "\\" : "") + std::to_string((byte >> shift) & 7);
    }
    const std::string object = repo.git(
        "rev-parse HEAD; "
        "printf '" +
        entry + bytes + "' | git hash-object -w -t tree --literally --stdin");
    const std::string oid = object.substr(object.rfind('\n') + 1);
    const std::string commit = repo.git("commit-tree -p " + base + " -m x " + oid);
    const auto refusal = tree.checkout(Oid{commit}, {});
    ASSERT_FALSE(refusal) << name;
    EXPECT_EQ(refusal.error().kind, ErrorKind::skip_build) << name << refusal.error().message;
    EXPECT_EQ(test::difference(there, test::state_of(tree.path())), "") << name;
  }
  EXPECT_TRUE(tree.checkout(Oid{base}, {}));
}

/// Everything in a repository's configuration that git would run, or fetch from.
TEST_F(Hostile, ARepositorysConfigurationRunsNothing) {
  const auto trace = temp / "trace";
  const std::string touch = "touch " + trace.string();
  repo.write(".gitattributes", "* filter=trap diff=c merge=trap\n");
  repo.write(".gitmodules", "[submodule \"sub\"]\n\tpath = sub\n\turl = ext::" + touch + "\n");
  const std::string traps = repo.commit("traps");
  for (const std::string name : {"core.fsmonitor",     "core.pager",
                                 "core.editor",        "core.sshCommand",
                                 "core.gitProxy",      "core.alternateRefsCommand",
                                 "diff.external",      "gpg.program",
                                 "credential.helper",  "uploadpack.packObjectsHook",
                                 "diff.c.textconv",    "diff.c.command",
                                 "filter.trap.smudge", "filter.trap.process",
                                 "filter.trap.clean",  "merge.trap.driver",
                                 "alias.rev-parse",    "remote.origin.uploadpack",
                                 "tar.tar.command",    "submodule.sub.update"})
    repo.git("config " + name + " '" + touch + "'");
  repo.git("config log.showSignature true");
  repo.git("config filter.trap.required true");
  fs::remove(trace);  // git config itself is not at issue
  const auto repository = Repository::open(repo.path());
  ASSERT_TRUE(repository) << repository.error().message;
  for (const std::string name : {"HEAD", "HEAD@{0}", ":/traps", "no-such"})
    (void)repository->resolve(name);
  (void)repository->describe(Oid{traps});
  ASSERT_TRUE(repository->range(Oid{base}, Oid{traps}));
  auto tree = WorkTree::open(own, *repository);
  ASSERT_TRUE(tree);
  ASSERT_TRUE(tree->checkout(Oid{traps}, {}));
  ASSERT_TRUE(tree->checkout(Oid{base}, {}));
  EXPECT_FALSE(fs::exists(trace)) << "something of the repository's was run";
}

/// A partial clone fetches what it lacks from where it says, by a program that it names.
TEST_F(Hostile, ARepositoryThatLacksObjectsFetchesNone) {
  const auto trace = temp / "trace";
  const std::string blob = repo.git("rev-parse HEAD:dir/a.c");
  for (const std::string& url : {"ext::touch " + trace.string(), "file://" + repo.path().string(),
                                 std::string("ssh://localhost/x")}) {
    repo.git("config extensions.partialClone origin");
    repo.git("config remote.origin.promisor true");
    repo.git("config remote.origin.url '" + url + "'");
    repo.git("config protocol.ext.allow always");
    repo.git("config core.sshCommand 'touch " + trace.string() + "; false'");
    repo.git("config remote.origin.uploadpack 'touch " + trace.string() + "; git-upload-pack'");
    const auto object = repo.path() / ".git/objects" / blob.substr(0, 2) / blob.substr(2);
    fs::rename(object, temp / "kept");
    const auto repository = Repository::open(repo.path());
    if (repository) {
      for (const std::string name : {"HEAD", "HEAD:dir/a.c", ":/base"})
        (void)repository->resolve(name);
      if (auto tree = WorkTree::open(own, *repository)) {
        EXPECT_FALSE(tree->checkout(Oid{base}, {}));
      }
    }
    fs::rename(temp / "kept", object);
    EXPECT_FALSE(fs::exists(trace)) << url;
    fs::remove(trace);
  }
}

}  // namespace
}  // namespace bisect_run::git
