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

}  // namespace
}  // namespace bisect_run::git
