#include "git/spelling.h"

#include <gtest/gtest.h>

namespace bisect_run::git {
namespace {

using Names = std::vector<std::string>;

TEST(Spelling, FindsWhatIsNearNearestFirst) {
  const Names names{"v3.15", "v3.9", "v3.14", "master", "v3.15", "v4.0"};
  EXPECT_EQ(nearest_names("v3.51", names), (Names{"v3.15"}));
  EXPECT_EQ(nearest_names("mastre", names), (Names{"master"}));
  EXPECT_EQ(nearest_names("maste", names), (Names{"master"}));
  EXPECT_EQ(nearest_names("3.15", names), (Names{"v3.15"}));
}

TEST(Spelling, DoesNotGuessWildly) {
  EXPECT_TRUE(nearest_names("v9", {"v3", "v4"}).empty());
  EXPECT_TRUE(nearest_names("linux-next", {"master", "net-next"}).empty());
  EXPECT_TRUE(nearest_names("", {"a"}).empty());
  EXPECT_EQ(nearest_names("v3.1x", {"v3.10", "v3.11", "v3.12", "v3.13"}).size(), 3u);
}

}  // namespace
}  // namespace bisect_run::git
