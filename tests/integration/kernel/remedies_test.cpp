#include <gtest/gtest.h>

#include "bench.h"
#include "kernel/plan.h"

// What remedies do to builds: of a small tree that has, or lacks, the line they look for.

namespace bisect_run::kernel {
namespace {

using test::Bench;
using Kind = TreeQuestion::Kind;

class Remedies : public testing::Test {
 protected:
  Remedies() {
    test::write_file(files_ / "include/old.h", "#define OLD 1\n");
    bench.settings.remedies = files_.path();
    Remedy old;
    old.name = "old";
    old.cures = "old trees";
    old.symptom = "error: old";
    old.when = {{Kind::exists, "old-file", "", ""}};
    old.flags = {{"CC", {"-DOLD"}},
                 {"HOSTCC", {"-fcommon"}},
                 {"KCPPFLAGS", {"-I{remedies}/include"}},
                 {"KAFLAGS", {"-Wa,-mshared"}}};
    old.make_variables = {"pound=#"};
    old.config = {{"SMP", "n"}};
    old.boot_args = {"quiet"};
    bench.settings.recipe.remedies = {old};
  }

  Remedy& remedy() { return bench.settings.recipe.remedies[0]; }
  std::string said() const { return test::read_file(bench.objects() / "said"); }

  test::TempDir files_;
  Bench bench;
};

TEST_F(Remedies, ReachMakeConfigAndCommandLine) {
  bench.tree.write("old-file", "");
  bench.settings.recipe.config[0].must = false;
  bench.settings.recipe.variants[2].cases[0].config.clear();
  const auto image = bench.build("a", "off");
  ASSERT_TRUE(image) << image.error().message << image.error().detail;
  ASSERT_EQ(image->remedies.size(), 1u);
  EXPECT_EQ(image->remedies[0].name, "old");
  EXPECT_EQ(image->boot_args, std::vector<std::string>{"quiet"});
  EXPECT_NE(test::read_file(image->config).find("# CONFIG_SMP is not set"), std::string::npos);
  const auto text = said();
  EXPECT_NE(text.find("gcc -DOLD|"), std::string::npos) << text;
  EXPECT_NE(text.find("gcc -fcommon|-I"), std::string::npos) << text;
  EXPECT_NE(text.find("/include|-Wa,-mshared|#\n"), std::string::npos) << text;
  // The directory is a copy of its own, which later changes of ours do not reach.
  const auto from = text.find("|-I") + 3;
  const std::filesystem::path include(text.substr(from, text.find("|-Wa") - from));
  EXPECT_EQ(test::read_file(include / "old.h"), "#define OLD 1\n");
  EXPECT_NE(include.parent_path(), files_.path());
}

TEST_F(Remedies, OtherTreesAreBuiltAsIfThereWereNone) {
  const auto image = bench.build("a");
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_TRUE(image->remedies.empty());
  EXPECT_TRUE(image->boot_args.empty());
  bench.settings.recipe.remedies.clear();
  bench.settings.remedies.clear();
  EXPECT_EQ(bench.build("a")->build_key, image->build_key);
}

TEST_F(Remedies, AreInTheBuildKey) {
  bench.tree.write("old-file", "");
  remedy().config.clear();
  const auto key = [&] {
    const auto image = bench.build("a");
    EXPECT_TRUE(image) << image.error().message;
    return image ? image->build_key : std::string();
  };
  std::set<std::string> keys{key()};
  EXPECT_EQ(key(), *keys.begin());
  test::write_file(files_ / "include/old.h", "#define OLD 2\n");
  EXPECT_TRUE(keys.insert(key()).second) << "a changed header";
  remedy().flags["CC"] = {"-DOLD=2"};
  EXPECT_TRUE(keys.insert(key()).second) << "another flag";
  remedy().make_variables = {"pound=x"};
  EXPECT_TRUE(keys.insert(key()).second) << "another variable";
  remedy().config = {{"NR_CPUS", "4"}};
  EXPECT_TRUE(keys.insert(key()).second) << "another config line";
  test::write_file(files_ / "a.patch", "1");
  remedy().patches = {"a.patch"};
  EXPECT_TRUE(keys.insert(key()).second) << "a patch";
  test::write_file(files_ / "a.patch", "2");
  EXPECT_TRUE(keys.insert(key()).second) << "another patch of that name";
  remedy().boot_args = {"other"};
  EXPECT_FALSE(keys.insert(key()).second) << "boot arguments build nothing";
}

TEST_F(Remedies, FilesThatNobodyUsesDoNotMatter) {
  const auto before = bench.build("a");
  test::write_file(files_ / "include/old.h", "#define OLD 2\n");
  EXPECT_EQ(bench.build("a")->build_key, before->build_key);
}

TEST_F(Remedies, PatchesAreLaidOnTopBySecondCheckout) {
  bench.tree.write("old-file", "");
  remedy().config.clear();
  remedy().patches = {"a.patch"};
  test::write_file(files_ / "a.patch", "text of the patch");
  ASSERT_TRUE(bench.build("a"));
  EXPECT_EQ(bench.checkouts, 2);
  ASSERT_EQ(bench.remedy_patches.size(), 1u);
  EXPECT_EQ(bench.remedy_patches[0].text, "text of the patch");
}

TEST_F(Remedies, APatchThatDoesNotFitIsASkip) {
  bench.tree.write("old-file", "");
  remedy().config.clear();
  remedy().patches = {"a.patch"};
  test::write_file(files_ / "a.patch", "text of the patch");
  auto workshop = bench.open();
  const auto build = [&](ErrorKind kind) {
    const auto checkout = [&](const std::vector<Patch>& patches) -> Result<Tree> {
      if (!patches.empty()) return fail(kind, "patch a.patch: f: hunk 1 of 1 does not fit");
      return Tree{bench.tree.path(), "tree"};
    };
    const auto image = workshop.build("a", "none", checkout, {}, {});
    EXPECT_FALSE(image);
    return image ? Error{} : image.error();
  };
  EXPECT_EQ(build(ErrorKind::usage).kind, ErrorKind::skip_build);
  EXPECT_NE(build(ErrorKind::usage).message.find("does not fit it: patch a.patch: f: hunk 1"),
            std::string::npos)
      << build(ErrorKind::usage).message;
  EXPECT_EQ(build(ErrorKind::infra).kind, ErrorKind::infra);
}

TEST_F(Remedies, MayFollowFromAncestry) {
  remedy().when = {{Kind::contains, "", "", "0123456789ab"}};
  EXPECT_EQ(ancestry_of_interest(bench.settings.recipe), std::set<std::string>{"0123456789ab"});
  remedy().config.clear();
  auto workshop = bench.open();
  const auto build = [&](const std::string& key, const std::set<std::string>& ancestors) {
    return workshop
        .build(
            key, "none",
            [&](const auto&) -> Result<Tree> { return Tree{bench.tree.path(), "tree", ancestors}; },
            {}, {})
        .value();
  };
  EXPECT_TRUE(build("a", {}).remedies.empty());
  EXPECT_EQ(build("a~", {"0123456789ab"}).remedies.size(), 1u);
  EXPECT_EQ(build("a~", {}).remedies.size(), 1u) << "known without a look at the tree";
}

TEST_F(Remedies, C10AFailureSaysThatOneWasAppliedOrWouldHelp) {
  bench.tree.hook("echo 'a.c:1: error: old thing'; exit 1");
  const auto without = bench.build("a");
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().kind, ErrorKind::skip_build);
  EXPECT_NE(without.error().message.find("error: old thing; remedy old is known for this (old "
                                         "trees), but is not applied here, since it is for trees "
                                         "where old-file is there; widen its `when` in "
                                         "kernels.yaml (log: "),
            std::string::npos)
      << without.error().message;
  bench.tree.write("old-file", "");
  remedy().config.clear();
  const auto with = bench.build("b");
  ASSERT_FALSE(with);
  EXPECT_NE(with.error().message.find("(old trees), but was applied already (log: "),
            std::string::npos)
      << with.error().message;
}

TEST_F(Remedies, C10AnotherCompilerBuildsItsTreesInItsOwnObjectDirectory) {
  const test::TempDir tools;
  test::write_file(tools / "gcc-old",
                   "#!/bin/sh\n[ \"$1\" = --version ] && echo gcc-old 1 ||"
                   " exec gcc \"$@\"\n");
  std::filesystem::permissions(tools / "gcc-old", std::filesystem::perms::owner_all);
  const std::vector<TreeQuestion> when = {{Kind::exists, "old-file", "", ""}};
  bench.settings.recipe.remedies.clear();
  bench.settings.recipe.toolchains = {{"absent", "gcc-none", {}, "", "", when},
                                      {"old", "gcc-old", {"W=1"}, tools.path().string(), "", when}};
  const auto usual = bench.build("a");
  ASSERT_TRUE(usual) << usual.error().message;
  EXPECT_NE(usual->compiler, "gcc-old 1");
  bench.tree.write("old-file", "");
  const auto old = bench.build("b");
  ASSERT_TRUE(old) << old.error().message << old.error().detail;
  EXPECT_EQ(old->compiler, "gcc-old 1");
  EXPECT_NE(old->build_key, usual->build_key);
  EXPECT_EQ(bench.open().compilers().size(), 2u);
  const auto objects = bench.settings.cache / "objects";
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(objects), {}), 2);
}

}  // namespace
}  // namespace bisect_run::kernel
