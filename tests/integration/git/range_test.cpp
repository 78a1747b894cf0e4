#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "git/repository.h"
#include "support/git_repo.h"

namespace bisect_run::git {
namespace {

using test::GitRepo;
using test::TempDir;

void expect_refused(const Result<Range>& range, const std::string& part) {
  ASSERT_FALSE(range);
  EXPECT_EQ(range.error().kind, ErrorKind::usage);
  EXPECT_NE(range.error().message.find(part), std::string::npos) << range.error().message;
}

TEST(RangeOfRepository, C9SaysWhyThereIsNone) {
  TempDir temp;
  const GitRepo repo(temp / "r");
  const Oid root{repo.commit("root")};
  const Oid one{repo.commit("one")};
  repo.git("checkout -q -b other HEAD~1");
  const Oid two{repo.commit("two")};
  repo.git("checkout -q --orphan alone");
  const Oid alone{repo.commit("alone")};
  const auto repository = Repository::open(repo.path());
  ASSERT_TRUE(repository);
  expect_refused(repository->range(one, one), "same commit");
  expect_refused(repository->range(one, root), "swapped?");
  expect_refused(repository->range(one, two), "part at " + root.abbreviated());
  expect_refused(repository->range(one, alone), "no common history");
  const auto range = repository->range(root, two);
  ASSERT_TRUE(range);
  EXPECT_EQ(range->nodes.size(), 2u);
}

/// `git rev-list --parents ARGUMENTS`, by commit.
std::map<std::string, std::vector<std::string>> listed(const GitRepo& repo,
                                                       const std::string& what) {
  std::map<std::string, std::vector<std::string>> commits;
  std::istringstream lines(repo.git("rev-list --parents " + what));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string commit;
    words >> commit;
    for (std::string parent; words >> parent;) commits[commit].push_back(parent);
    commits.try_emplace(commit);
  }
  return commits;
}

/// Marks 1 to `size`, each with up to three parents among the ten before; now and then a new root.
std::string random_history(std::mt19937& random, int size) {
  const auto below = [&random](int n) { return std::uniform_int_distribution<>(0, n - 1)(random); };
  std::string stream;
  for (int i = 1; i <= size; ++i) {
    std::vector<int> parents;
    const int wanted = i == 1 || below(200) == 0 ? 0 : below(5) == 0 ? 2 + below(2) : 1;
    while (static_cast<int>(parents.size()) < std::min(wanted, i - 1)) {
      const int parent = i - 1 - below(std::min(10, i - 1));
      if (std::ranges::find(parents, parent) == parents.end()) parents.push_back(parent);
      if (i <= 4) break;
    }
    stream += "reset refs/heads/c" + std::to_string(i) + "\n";
    stream += "commit refs/heads/c" + std::to_string(i) + "\nmark :" + std::to_string(i) +
              "\ncommitter T <t@t> " + std::to_string(1'000'000 + i * 60 - below(100)) +
              " +0000\ndata <<E\ncommit " + std::to_string(i) + "\nE\n";
    for (std::size_t k = 0; k < parents.size(); ++k)
      stream += (k == 0 ? "from :" : "merge :") + std::to_string(parents[k]) + "\n";
    stream += "\n";
  }
  return stream;
}

TEST(RangeOfRepository, AgreesWithGit) {
  std::mt19937 random(7);
  int compared = 0;
  for (int round = 0; round < 8; ++round) {
    TempDir temp;
    const GitRepo repo(temp / "r");
    const int size = 30 + round * 20;
    repo.fast_import(random_history(random, size));
    const auto repository = Repository::open(repo.path());
    ASSERT_TRUE(repository);
    for (int pair = 0; pair < 8; ++pair) {
      const int g = std::uniform_int_distribution<>(1, size - 1)(random);
      const int b = std::uniform_int_distribution<>(g + 1, size)(random);
      const std::string good = repo.git("rev-parse c" + std::to_string(g));
      const std::string bad = repo.git("rev-parse c" + std::to_string(b));
      const auto range = repository->range(Oid{good}, Oid{bad});
      const auto ancestors = listed(repo, bad);
      ASSERT_EQ(range.has_value(), ancestors.contains(good)) << range.error().message;
      if (!range) continue;
      ++compared;
      const auto inside = listed(repo, good + ".." + bad);
      EXPECT_EQ(range->candidates(), inside.size());
      for (std::uint32_t i = range->boundary; i < range->nodes.size(); ++i) {
        const auto commit = inside.find(range->nodes[i].oid.hex);
        ASSERT_NE(commit, inside.end());
        ASSERT_EQ(range->parents[i].size(), commit->second.size());
        for (std::size_t k = 0; k < commit->second.size(); ++k) {
          ASSERT_LT(range->parents[i][k], i);
          EXPECT_EQ(range->nodes[range->parents[i][k]].oid.hex, commit->second[k]);
        }
      }
      EXPECT_EQ(range->nodes.front().oid.hex, good);
      EXPECT_EQ(range->nodes.back().oid.hex, bad);
    }
  }
  EXPECT_GT(compared, 20);
}

/// The candidates of a range, by object name.
std::set<std::string> candidates_of(const Range& range) {
  std::set<std::string> names;
  for (auto i = range.boundary; i < range.nodes.size(); ++i) names.insert(range.nodes[i].oid.hex);
  return names;
}

std::set<std::string> names_of(const std::map<std::string, std::vector<std::string>>& commits) {
  std::set<std::string> names;
  for (const auto& [name, parents] : commits) names.insert(name);
  return names;
}

TEST(RangeOfRepository, SeveralGoodEndsAndFirstParentsAgreeWithGit) {
  std::mt19937 random(11);
  int several = 0, first = 0;
  for (int round = 0; round < 6; ++round) {
    TempDir temp;
    const GitRepo repo(temp / "r");
    const int size = 40 + round * 20;
    repo.fast_import(random_history(random, size));
    const auto repository = Repository::open(repo.path());
    ASSERT_TRUE(repository);
    const std::string bad = repo.git("rev-parse c" + std::to_string(size));
    const auto ancestors = listed(repo, bad);
    for (int pair = 0; pair < 6; ++pair) {
      std::vector<Oid> good;
      while (good.size() < 3) {
        const auto name = repo.git(
            "rev-parse c" + std::to_string(std::uniform_int_distribution<>(1, size - 1)(random)));
        if (ancestors.contains(name)) good.push_back({name});
      }
      const auto range = repository->range(good[0], {bad}, {.more_good = {good[1], good[2]}});
      ASSERT_TRUE(range) << range.error().message;
      const std::string but = " ^" + good[0].hex + " ^" + good[1].hex + " ^" + good[2].hex;
      EXPECT_EQ(candidates_of(*range), names_of(listed(repo, bad + but)));
      ++several;
      const auto line = repository->range(good[0], {bad}, {.first_parent = true});
      if (!line) continue;  // the line ends at a root
      EXPECT_EQ(candidates_of(*line),
                names_of(listed(repo, "--first-parent " + bad + " ^" + good[0].hex)));
      ++first;
    }
  }
  EXPECT_EQ(several, 36);
  EXPECT_GT(first, 20);
}

TEST(RangeOfRepository, C9AFurtherGoodEndIsCheckedLikeTheFirst) {
  TempDir temp;
  const GitRepo repo(temp / "r");
  const Oid root{repo.commit("root")};
  const Oid one{repo.commit("one")};
  const Oid two{repo.commit("two")};
  repo.git("checkout -q -b other HEAD~1");
  const Oid other{repo.commit("other")};
  const auto repository = Repository::open(repo.path());
  ASSERT_TRUE(repository);
  expect_refused(repository->range(root, two, {.more_good = {other}}),
                 "part at " + one.abbreviated());
  expect_refused(repository->range(root, two, {.more_good = {two}}), "same commit");
  expect_refused(repository->range(root, one, {.more_good = {two}}), "swapped?");
  const auto range = repository->range(root, two, {.more_good = {one}});
  ASSERT_TRUE(range) << range.error().message;
  EXPECT_EQ(candidates_of(*range), std::set<std::string>{two.hex});
  EXPECT_EQ(range->nodes.front().oid, root) << "the first end is the one that is measured";
}

TEST(RangeOfRepository, TouchedPathsAreThoseOfGit) {
  TempDir temp;
  const GitRepo repo(temp / "r");
  repo.write("net/core/dev.c", "1");
  repo.write("kernel/fork.c", "1");
  const Oid good{repo.commit("start")};
  repo.write("net/core/dev.c", "2");
  repo.commit("net");
  repo.write("kernel/fork.c", "2");
  repo.commit("kernel");
  repo.git("checkout -q -b side HEAD~1");
  repo.write("net/core/new.c", "1");
  repo.commit("side adds to net");
  repo.write("README", "1");
  repo.commit("neither");
  repo.git("checkout -q main");
  repo.git("merge -q --no-ff -m merge side");
  repo.git("rm -q net/core/new.c");
  repo.git("mv kernel/fork.c kernel/exit.c");
  const Oid bad{repo.commit("removes and renames")};
  const auto repository = Repository::open(repo.path());
  ASSERT_TRUE(repository);
  const auto range = repository->range(good, bad);
  ASSERT_TRUE(range);
  for (const std::string paths : {"net", "./net/core/", "kernel/fork.c", "kernel net/core/dev.c"}) {
    std::vector<std::string> list;
    std::istringstream words(paths);
    for (std::string word; words >> word;) list.push_back(word);
    const auto touched = repository->touching(*range, list);
    ASSERT_TRUE(touched) << touched.error().message;
    std::set<std::string> ours;
    for (std::size_t i = 0; i < range->nodes.size(); ++i)
      if ((*touched)[i]) ours.insert(range->nodes[i].oid.hex);
    // A merge that only brings the branch in is no change of its own, for git as well.
    std::set<std::string> theirs;
    std::istringstream commits(
        repo.git("rev-list --full-history --no-merges " + good.hex + ".." + bad.hex + " -- " + paths));
    for (std::string commit; commits >> commit;) theirs.insert(commit);
    EXPECT_EQ(ours, theirs) << paths;
  }
  const auto none = repository->touching(*range, {"net", "mm"});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("'mm'"), std::string::npos);
}

}  // namespace
}  // namespace bisect_run::git
