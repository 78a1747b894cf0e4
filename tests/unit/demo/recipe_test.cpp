#include "demo/recipe.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "support/temp_dir.h"

namespace bisect_run::demo {
namespace {

using test::TempDir;
using test::write_file;

std::string refused(const std::string& recipe) {
  TempDir temp;
  write_file(temp / "recipe.txt", recipe);
  write_file(temp / "patches/one.patch", "subject\n\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y\n");
  const auto loaded = load_recipe(temp.path());
  EXPECT_FALSE(loaded);
  if (loaded) return "accepted";
  EXPECT_EQ(loaded.error().kind, ErrorKind::usage);
  return loaded.error().message;
}

TEST(Recipe, NamesTheLineThatIsWrong) {
  EXPECT_NE(refused("# c\n\nroot x\nfrob y\n").find("recipe.txt:4: 'frob y'"), std::string::npos);
  EXPECT_NE(refused("pick one\n").find("recipe.txt:1:"), std::string::npos);
  EXPECT_NE(refused("root x\nroot y\n").find("recipe.txt:2:"), std::string::npos);
  EXPECT_NE(refused("root x\npick\n").find("recipe.txt:2:"), std::string::npos);
  EXPECT_NE(refused("root x\npick one two\n").find("recipe.txt:2:"), std::string::npos);
  EXPECT_NE(refused("root x\nmerge topic\n").find("recipe.txt:2:"), std::string::npos);
  EXPECT_NE(refused("root x\npick none\n").find("none.patch"), std::string::npos);
  EXPECT_NE(refused("# nothing\n").find("empty"), std::string::npos);
}

TEST(Recipe, TakesTheMessageFromThePatch) {
  EXPECT_EQ(message_of({"", "subject\n\ntext --- a/x\nmore\n\n\n--- a/f\n+++ b/f\n"}),
            "subject\n\ntext --- a/x\nmore\n");
  EXPECT_EQ(message_of({"", "subject\n\n--- /dev/null\n+++ b/f\n"}), "subject\n");
}

TEST(Recipe, DigestSeesEveryChange) {
  const Recipe base{{{Step::Kind::root, "", "s"}, {Step::Kind::pick, "a", ""}},
                    {{"a.patch", "text"}}};
  Recipe other = base;
  other.patches[0].text += "x";
  EXPECT_NE(other.digest(), base.digest());
  other = base;
  other.steps[0].subject = "t";
  EXPECT_NE(other.digest(), base.digest());
  other = base;
  std::swap(other.steps[0], other.steps[1]);
  EXPECT_NE(other.digest(), base.digest());
  EXPECT_EQ(Recipe(base).digest(), base.digest());
}

/// What the demo promises, read off the recipe that ships.
class ShippedRecipe : public testing::Test {
 protected:
  void SetUp() override {
    auto loaded = load_recipe(std::filesystem::path(BISECT_RUN_SOURCE_DIR) / "harness/demo");
    ASSERT_TRUE(loaded) << loaded.error().message;
    recipe = std::move(*loaded);
    walk();
  }

  /// Ancestors of each commit by name, with a graph walk of its own.
  void walk() {
    std::map<std::string, std::string> tips{{"main", "root"}};
    std::string current = "main";
    below["root"] = {};
    for (const Step& step : recipe.steps) {
      std::set<std::string> ancestors = below[tips[current]];
      ancestors.insert(tips[current]);
      if (step.kind == Step::Kind::branch) tips[step.name] = tips[current];
      if (step.kind == Step::Kind::branch || step.kind == Step::Kind::switch_to)
        current = step.name;
      if (step.kind == Step::Kind::mark) marks[step.name] = tips[current];
      if (step.kind == Step::Kind::merge) {
        ASSERT_TRUE(tips.contains(step.name));
        merged.push_back(step.name);
        ancestors.merge(std::set<std::string>(below[tips[step.name]]));
        ancestors.insert(tips[step.name]);
      }
      if (step.kind != Step::Kind::merge && step.kind != Step::Kind::pick) continue;
      const std::string commit = step.kind == Step::Kind::merge ? "merge " + step.name : step.name;
      tips[current] = commit;
      below[commit] = ancestors;
      if (current == "main") first_parents.insert(commit);
    }
  }

  bool untestable(const std::string& commit) const {
    const auto is_in = [&](const std::string& name) {
      return commit == name || below.at(commit).contains(name);
    };
    return (is_in("uts-count-broken") && !is_in("uts-count-fixed")) ||
           (is_in("dummy-hang") && !is_in("dummy-fixed")) ||
           (is_in("mnt-hash-panic") && !is_in("mnt-hash-fixed"));
  }

  Recipe recipe;
  std::map<std::string, std::set<std::string>> below;
  std::map<std::string, std::string> marks;
  std::vector<std::string> merged;
  std::set<std::string> first_parents;
};

TEST_F(ShippedRecipe, HasTheShapeThatWasAskedFor) {
  const std::size_t commits = below.size() - 1;
  EXPECT_GE(commits, 50u);
  EXPECT_LE(commits, 70u);
  EXPECT_GE(merged.size(), 5u);
  EXPECT_EQ(below.at(marks.at("bad")).size() + 1, below.size())
      << "everything is reachable from BAD";
  EXPECT_FALSE(first_parents.contains(marks.at("planted")));
  const std::size_t before = below.at(marks.at("planted")).size();
  EXPECT_GT(before, commits / 4);
  EXPECT_LT(before, commits * 3 / 4);
}

TEST_F(ShippedRecipe, HidesTheAnswerBehindNothing) {
  const std::string planted = marks.at("planted");
  for (const auto& [commit, ancestors] : below) {
    if (!untestable(commit)) continue;
    EXPECT_NE(commit, planted);
    EXPECT_NE(commit, marks.at("good"));
    EXPECT_NE(commit, marks.at("bad"));
  }
  // The parent and the child of the answer can be tested.
  bool seen = false;
  std::string previous;
  for (const Step& step : recipe.steps) {
    if (step.kind != Step::Kind::pick) continue;
    if (step.name == planted || previous == planted) {
      EXPECT_FALSE(untestable(previous)) << previous;
      EXPECT_FALSE(untestable(step.name)) << step.name;
      seen = true;
    }
    previous = step.name;
  }
  EXPECT_TRUE(seen);
}

TEST_F(ShippedRecipe, PutsABrokenStretchInTheMiddle) {
  // The commit that halves the range, as any bisection would take it first.
  const auto commits = below.size() - 1;
  std::size_t best = 0;
  std::set<std::string> halving;
  for (const auto& [commit, ancestors] : below) {
    const std::size_t reached = ancestors.size();  // the root stands in for the commit itself
    const std::size_t gain = std::min(reached, commits - reached);
    if (gain > best) halving.clear();
    if (gain >= best && commit != "root") halving.insert(commit);
    best = std::max(best, gain);
  }
  for (const std::string& commit : halving) EXPECT_TRUE(untestable(commit)) << commit;
}

TEST_F(ShippedRecipe, WithASmallEffectOnlyThePlantedCommitDiffers) {
  const auto small =
      load_recipe(std::filesystem::path(BISECT_RUN_SOURCE_DIR) / "harness/demo", Effect::small);
  ASSERT_TRUE(small) << small.error().message;
  ASSERT_EQ(small->steps.size(), recipe.steps.size());
  std::vector<std::string> differ;
  for (std::size_t i = 0; i < recipe.steps.size(); ++i)
    if (small->steps[i].name != recipe.steps[i].name) differ.push_back(small->steps[i].name);
  EXPECT_EQ(differ, std::vector<std::string>{"planted-nsproxy-checksum"});
  EXPECT_NE(small->digest(), recipe.digest());
}

}  // namespace
}  // namespace bisect_run::demo
