#include "git/repository.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <vector>

#include "git/kernel_tree.h"
#include "support/git_repo.h"

namespace bisect_run::git {
namespace {

using test::GitRepo;
using test::TempDir;

/// A history with a merge, tags of both kinds and a reflog.
class RepositoryTest : public testing::Test {
 protected:
  void SetUp() override {
    repo.write("a", "1\n");
    repo.write("dir/b", "b\n");
    root = repo.commit("root commit");
    repo.git("tag v1.0");
    repo.write("a", "2\n");
    second = repo.commit("second: find me");
    repo.git("tag -a -m annotated v1.1");
    repo.git("checkout -q -b side v1.0");
    repo.write("c", "c\n");
    side = repo.commit("on the side");
    repo.git("checkout -q main");
    repo.git("merge -q --no-ff -m merged side");
    merge = repo.git("rev-parse HEAD");
  }

  Repository open() {
    auto opened = Repository::open(repo.path());
    if (!opened) throw std::runtime_error(opened.error().message);
    return std::move(*opened);
  }

  TempDir temp;
  GitRepo repo{temp / "repo"};
  std::string root, second, side, merge;
};

std::string message_of(const auto& result) {
  EXPECT_FALSE(result);
  if (result) return "no error";
  EXPECT_EQ(result.error().kind, ErrorKind::usage);
  return result.error().message;
}

void expect_has(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST_F(RepositoryTest, ResolvesAsGitDoes) {
  repo.git("branch with/slash v1.0");
  repo.git("tag 'v1.0+odd'");
  const Repository repository = open();
  for (const std::string revision : {"HEAD",           "main",           "side",
                                     "v1.0",           "v1.1",           "v1.1^{}",
                                     "v1.1~1",         "HEAD^2",         "HEAD~2",
                                     "HEAD@{1}",       "main@{0}",       "@",
                                     ":/find me",      "HEAD^{/root}",   "with/slash",
                                     "v1.0+odd",       "refs/tags/v1.1", "heads/side",
                                     "@{-1}",          "v1.1^0",         "v1.0-1-g0000000",
                                     "main@{upstream}"}) {
    std::string expected;
    try {
      expected = repo.git("log -1 --format=%H '" + revision + "' --");
    } catch (const std::exception&) {
    }
    const auto resolved = repository.resolve(revision);
    EXPECT_EQ(resolved ? resolved->hex : "", expected) << revision;
  }
  for (const std::size_t digits : {7u, 12u, 40u})
    EXPECT_EQ(repository.resolve(side.substr(0, digits))->hex, side);
  EXPECT_EQ(repository.resolve("v1.0-1-g" + second.substr(0, 9))->hex, second);
}

TEST_F(RepositoryTest, SaysWhatIsWrongWithARevision) {
  const Repository repository = open();
  expect_has(message_of(repository.resolve("v1.10")), "did you mean v1.0 or v1.1?");
  expect_has(message_of(repository.resolve("nothing-like-it")), "fetch it first");
  expect_has(message_of(repository.resolve("v1.0..v1.1")), "GOOD BAD");
  expect_has(message_of(repository.resolve("HEAD:a")), "is a blob, not a commit");
  expect_has(message_of(repository.resolve("HEAD^@")), "knows no revision");
  expect_has(message_of(repository.resolve("")), "empty");
  expect_has(message_of(repository.resolve("--all")), "knows no revision");
  expect_has(message_of(repository.resolve("a\nb")), "one line");
}

TEST_F(RepositoryTest, ShortNamesAreCommitsFirstAndAmbiguousOnesRefused) {
  // Make commits until two share four digits, and one shares four digits with a blob.
  std::string stream;
  for (int i = 0; i < 600; ++i)
    stream += "commit refs/heads/many\ncommitter T <t@t> " + std::to_string(1'000'000 + i) +
              " +0000\ndata 2\nx\n" + "\n";
  repo.fast_import(stream);
  for (int i = 0; i < 600; ++i) repo.write("blobs/" + std::to_string(i), std::to_string(i));
  repo.git("add blobs");
  std::map<std::string, std::vector<std::string>> commits, others;
  std::istringstream lines(repo.git("cat-file --batch-all-objects --batch-check"));
  for (std::string name, type, size; lines >> name >> type >> size;)
    (type == "commit" ? commits : others)[name.substr(0, 4)].push_back(name);
  const Repository repository = open();
  bool ambiguous = false, beside_a_blob = false;
  for (const auto& [digits, names] : commits) {
    if (names.size() > 1) {
      expect_has(message_of(repository.resolve(digits)), "fits several commits");
      ambiguous = true;
    } else if (others.contains(digits)) {
      const auto resolved = repository.resolve(digits);
      ASSERT_TRUE(resolved) << digits;
      EXPECT_EQ(resolved->hex, names[0]);
      beside_a_blob = true;
    }
  }
  EXPECT_TRUE(ambiguous);
  EXPECT_TRUE(beside_a_blob);
}

TEST_F(RepositoryTest, ReadsCommitsAndFiles) {
  const Repository repository = open();
  const auto commit = repository.commit(Oid{merge});
  ASSERT_TRUE(commit);
  EXPECT_EQ(commit->subject, "merged");
  EXPECT_EQ(commit->parents, (std::vector<Oid>{{second}, {side}}));
  EXPECT_EQ(std::to_string(commit->commit_time), repo.git("log -1 --format=%ct"));
  EXPECT_EQ(*repository.tree_name(Oid{merge}), repo.git("rev-parse HEAD^{tree}"));
  EXPECT_EQ(*repository.file(Oid{merge}, "dir/b"), "b\n");
  EXPECT_EQ(*repository.file(Oid{root}, "a"), "1\n");
  expect_has(message_of(repository.file(Oid{root}, "c")), "no file c");
  expect_has(message_of(repository.file(Oid{root}, "dir")), "no file dir");
}

TEST_F(RepositoryTest, DescribesAsGitDoes) {
  const Repository repository = open();
  for (const std::string& commit : {root, second, side, merge})
    EXPECT_EQ(repository.describe(Oid{commit}), repo.git("describe --tags --abbrev=12 " + commit));
  const GitRepo bare_of_tags(temp / "untagged");
  const std::string commit = bare_of_tags.commit("x");
  const auto other = Repository::open(bare_of_tags.path());
  EXPECT_EQ(other->describe(Oid{commit}), commit.substr(0, 12));
  EXPECT_EQ(other->describe(Oid{std::string(40, '1')}), std::string(12, '1'));
  EXPECT_EQ(other->describe(Oid{"short"}), "short");
}

TEST_F(RepositoryTest, GivesTheChangeOfACommit) {
  repo.git("config diff.noprefix true");
  const Repository repository = open();
  EXPECT_EQ(*repository.patch_of(Oid{second}),
            repo.git("-c diff.noprefix=false show --format= --abbrev=12 " + second) + '\n');
  expect_has(*repository.patch_of(Oid{root}), "+++ b/dir/b");
  expect_has(message_of(repository.patch_of(Oid{merge})), "is a merge");
}

TEST_F(RepositoryTest, C17OpensFromWhereverThePersonIs) {
  repo.git("worktree add -q ../linked side");
  repo.git("clone -q --bare . ../mirror.git");
  const auto inside = Repository::open(repo.path() / "dir");
  ASSERT_TRUE(inside);
  EXPECT_EQ(inside->path(), repo.path());
  EXPECT_EQ(inside->git_dir(), repo.path() / ".git");
  const auto linked = Repository::open(temp / "linked");
  ASSERT_TRUE(linked);
  EXPECT_EQ(linked->path(), temp / "linked");
  EXPECT_EQ(linked->resolve("HEAD")->hex, side);
  EXPECT_EQ(linked->object_directory(), repo.path() / ".git/objects");
  const auto mirror = Repository::open(temp / "mirror.git");
  ASSERT_TRUE(mirror);
  EXPECT_EQ(mirror->path(), temp / "mirror.git");
  EXPECT_EQ(mirror->resolve("HEAD")->hex, merge);
}

TEST_F(RepositoryTest, RefusesWhatIsNoRepository) {
  expect_has(message_of(Repository::open(temp / "missing")), "there is no");
  std::filesystem::create_directory(temp / "plain");
  expect_has(message_of(Repository::open(temp / "plain")), "not inside a git repository");
}

TEST_F(RepositoryTest, RefusesPartialAndForeignAndUnknownOnes) {
  repo.git("config uploadpack.allowFilter true");
  repo.git("clone -q --filter=blob:none --no-checkout file://$PWD ../partial");
  expect_has(message_of(Repository::open(temp / "partial")), "partial clone");
  test::shell("git init -q --object-format=sha256 " + test::shell_quoted(temp / "sha256"));
  expect_has(message_of(Repository::open(temp / "sha256")), "SHA-1");
  repo.git("config core.repositoryformatversion 1");
  repo.git("config extensions.worktreeConfig true");
  EXPECT_TRUE(Repository::open(repo.path()));
  repo.git("config extensions.neverHeardOf true");
  expect_has(message_of(Repository::open(repo.path())), "neverheardof");
}

TEST_F(RepositoryTest, RefusesARepositoryOfSomebodyElse) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  test::shell("chown -R 12345 " + test::shell_quoted(repo.path()));
  const std::string message = message_of(Repository::open(repo.path()));
  expect_has(message, "belongs to another user");
  const std::string way_out = "git config --global --add safe.directory " + repo.path().string();
  expect_has(message, way_out);
  const std::string home = getenv("HOME") ? getenv("HOME") : "";
  setenv("HOME", temp.path().c_str(), 1);
  for (const std::string& command :
       {way_out, std::string("git config --global safe.directory '*'")}) {
    std::filesystem::remove(temp / ".gitconfig");
    test::shell(command);
    EXPECT_TRUE(Repository::open(repo.path())) << command;
    EXPECT_TRUE(Repository::open(repo.path())->resolve("v1.1")) << command;
  }
  setenv("HOME", home.c_str(), 1);
}

TEST_F(RepositoryTest, RefusesShallowHistoryButNotItsCommits) {
  repo.git("clone -q --depth 1 file://$PWD ../shallow");
  const auto shallow = Repository::open(temp / "shallow");
  ASSERT_TRUE(shallow);
  EXPECT_EQ(shallow->resolve("HEAD")->hex, merge);
  expect_has(message_of(shallow->range(Oid{root}, Oid{merge})), "git fetch --unshallow");
  expect_has(message_of(shallow->resolve("v1.0")), "git fetch --unshallow");
}

TEST_F(RepositoryTest, MissingObjectsAreNoFaultOfThePerson) {
  std::filesystem::remove(repo.path() / ".git/objects" / side.substr(0, 2) / side.substr(2));
  const Repository repository = open();
  const auto range = repository.range(Oid{root}, Oid{merge});
  ASSERT_FALSE(range);
  EXPECT_EQ(range.error().kind, ErrorKind::infra);
  expect_has(range.error().message, side);
  expect_has(range.error().message, "git fsck");
}

TEST_F(RepositoryTest, KnowsAKernelWhenItSeesOne) {
  EXPECT_FALSE(is_kernel_tree(open(), Oid{merge}));
  expect_has(message_of(require_kernel_tree(open(), Oid{merge})), "holds no Linux kernel");
  repo.write("Kconfig", "x");
  repo.write("kernel/fork.c", "x");
  repo.write("arch/x86/Makefile", "x");
  repo.write("Makefile", "# GPL\nVERSION = 6\n");
  const Oid commit{repo.commit("a kernel")};
  EXPECT_TRUE(is_kernel_tree(open(), commit));
  EXPECT_TRUE(require_kernel_tree(open(), commit));
}

TEST_F(RepositoryTest, NamesTheTouchedPathsAsGitDoes) {
  repo.write("dir/b", "b\nb\n");
  repo.write("new/deep/file.c", "x\n");
  repo.commit("several");
  repo.git("mv dir/b dir/renamed");
  repo.commit("a rename");
  repo.git("mv new/deep/file.c gone.c");
  repo.commit("there");
  repo.git("rm -q gone.c");
  test::shell("ln -s a " + test::shell_quoted(repo.path() / "link"));
  const std::string bad = repo.commit("and gone, and a link");
  const Repository repository = open();
  const auto range = repository.range(Oid{root}, Oid{bad});
  ASSERT_TRUE(range);
  const auto touched = repository.touched_paths(*range);
  ASSERT_TRUE(touched) << touched.error().message;
  for (std::size_t node = 0; node < range->nodes.size(); ++node) {
    std::string ours;
    std::vector<std::string> names;
    for (auto path : touched->of[node]) names.push_back(touched->names[path]);
    std::ranges::sort(names);
    for (const auto& name : names) ours += name + "\n";
    const Commit& commit = range->nodes[node];
    std::string theirs;
    if (node >= range->boundary && commit.parents.size() == 1)
      theirs = repo.git("diff-tree -r --no-renames --name-only " + commit.oid.hex + "^ " +
                        commit.oid.hex);
    if (!theirs.empty()) theirs += "\n";
    EXPECT_EQ(ours, theirs) << commit.subject;
  }
  const auto both = [&](const std::string& name) {
    const auto at = std::ranges::find(touched->names, name);
    EXPECT_NE(at, touched->names.end()) << name;
    return touched->at_both_ends[static_cast<std::size_t>(at - touched->names.begin())];
  };
  EXPECT_TRUE(both("a"));
  EXPECT_FALSE(both("c"));      // new
  EXPECT_FALSE(both("dir/b"));  // renamed away
  EXPECT_FALSE(both("dir/renamed"));
  EXPECT_FALSE(both("gone.c"));  // only in the middle
  EXPECT_FALSE(both("link"));
}

}  // namespace
}  // namespace bisect_run::git
