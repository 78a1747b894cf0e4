#include "git/first_parents.h"

#include <gtest/gtest.h>

#include "support/histories.h"

namespace bisect_run::git {
namespace {

std::string subjects(const Range& range) {
  std::string all;
  for (const auto& node : range.nodes) all += node.subject.substr(7) + " ";
  return all;
}

TEST(FirstParents, C23LeaveSideBranchesOutAndKeepTheMerge) {
  // 0 good; 1, 2 mainline; 3, 4 a branch from 1; 5 merges it into 2; 6 bad.
  const auto range = test::make_range({{}, {0}, {1}, {1}, {3}, {2, 4}, {5}});
  const auto line = first_parents_of(range);
  ASSERT_TRUE(line);
  EXPECT_EQ(subjects(*line), "0 1 2 5 6 ");
  EXPECT_EQ(line->boundary, 1u);
  EXPECT_EQ(line->parents, (test::ParentLists{{}, {0}, {1}, {2}, {3}}));
  EXPECT_EQ(line->nodes[3].parents.size(), 2u) << "the merge is still one";
}

TEST(FirstParents, GoodMayLieBesideTheLine) {
  // 0 good and 1 another boundary commit; 2 follows 1; 3 merges GOOD's side in.
  const auto range = test::make_range({{}, {}, {1}, {2, 0}}, 2);
  const auto line = first_parents_of(range);
  ASSERT_TRUE(line);
  EXPECT_EQ(subjects(*line), "0 1 2 3 ");
  EXPECT_EQ(line->boundary, 2u);
  EXPECT_EQ(line->parents, (test::ParentLists{{}, {}, {1}, {2}}));
}

TEST(FirstParents, ALineToARootIsRefused) {
  const auto range = test::make_range({{}, {}, {1, 0}}, 1);
  const auto line = first_parents_of(range);
  ASSERT_FALSE(line);
  EXPECT_EQ(line.error().kind, ErrorKind::usage);
}

}  // namespace
}  // namespace bisect_run::git
