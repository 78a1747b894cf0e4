// What a person changes of a build: their own .config, further make variables, another compiler.
#include <gtest/gtest.h>

#include "bench.h"
#include "kernel/own_config.h"
#include "process/run.h"

namespace bisect_run::kernel {
namespace {

using test::Bench;

/// A tree that has learnt two things since the person's .config was written.
class OwnBuild : public ::testing::Test {
 protected:
  OwnBuild() {
    bench.tree.write("sub/Kconfig",
                     "config NR_CPUS\n\tint\nconfig NEW_ON\n\tbool\n\tdefault y\nconfig NEW_OFF\n"
                     "\tbool\nconfig DRM\n\tbool\nconfig LAZY\n\tbool\n\tdefault y\n");
    bench.settings.recipe.config.push_back({"LAZY", "n", false, false, true});
  }

  void own(const std::string& text) {
    bench.settings.recipe.own_config = parse_own_config(text, "my.config").value();
  }

  Bench bench;
};

TEST_F(OwnBuild, AConfigIsTheBaseBelowMustsPinsAndTheVariant) {
  const auto without = bench.build("a");
  ASSERT_TRUE(without) << without.error().message;
  own("CONFIG_DRM=y\nCONFIG_NR_CPUS=64\n# CONFIG_SMP is not set\nCONFIG_LAZY=y\nCONFIG_GONE=m\n"
      "# CONFIG_RCU_NOCB_CPU is not set\nCONFIG_PCI=y\n");
  const auto with = bench.build("a");
  ASSERT_TRUE(with) << with.error().message << with.error().detail;
  EXPECT_EQ(test::read_file(with->config),
            "CONFIG_SMP=y\n"             // a must of the recipe
            "CONFIG_RCU_NOCB_CPU=y\n"    // the variant's
            "# CONFIG_PCI is not set\n"  // lost: it depends on what is not there
            "CONFIG_NR_CPUS=64\n"        // theirs, not what the recipe wants
            "CONFIG_NEW_ON=y\n"          // new in this tree: its default
            "# CONFIG_NEW_OFF is not set\n"
            "CONFIG_DRM=y\n"                // theirs
            "# CONFIG_LAZY is not set\n");  // pinned
  EXPECT_NE(with->build_key, without->build_key);

  // The ledger: what was asked on top, and what was lost of theirs.
  std::string ledger;
  for (const auto& line : with->ledger)
    ledger += line.symbol + " " + line.asked + " " + line.got + " " +
              std::string(to_string(line.fate)) + "\n";
  EXPECT_EQ(
      ledger,
      "GONE m n unknown\nPCI y n unmet\nSMP y y kept\nLAZY n n kept\nRCU_NOCB_CPU y y kept\n");
}

TEST_F(OwnBuild, AnotherConfigIsAnotherBuild) {
  own("CONFIG_DRM=y\n");
  const auto one = bench.build("a");
  own("# CONFIG_DRM is not set\n");
  const auto two = bench.build("a");
  own("CONFIG_DRM=y\n");
  const auto again = bench.build("a");
  ASSERT_TRUE(one && two && again);
  EXPECT_NE(one->build_key, two->build_key);
  EXPECT_EQ(one->build_key, again->build_key);
  EXPECT_TRUE(again->cached);
  EXPECT_EQ(bench.count("makes"), 2);
}

TEST_F(OwnBuild, AMakeVariableReachesMakeAndTheKey) {
  bench.tree.hook("echo \"$SPECIAL\" > $1/special");
  const auto without = bench.build("a");
  bench.settings.recipe.toolchain.make_variables = {"SPECIAL=a b"};
  const auto with = bench.build("a");
  ASSERT_TRUE(without && with);
  EXPECT_NE(with->build_key, without->build_key);
  std::string said;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(bench.settings.cache / "objects"))
    if (entry.path().filename() == "special") said += test::read_file(entry.path());
  EXPECT_NE(said.find("a b\n"), std::string::npos) << said;
}

TEST_F(OwnBuild, AnotherCompilerBuildsInADirectoryOfItsOwn) {
  if (process::find_program("clang", "/usr/bin:/bin").empty()) GTEST_SKIP() << "there is no clang";
  const auto gcc = bench.build("a");
  bench.settings.recipe.toolchain.cc = "clang";
  const auto clang = bench.build("a");
  ASSERT_TRUE(gcc && clang) << clang.error().message << clang.error().detail;
  EXPECT_NE(clang->compiler.find("clang"), std::string::npos) << clang->compiler;
  EXPECT_NE(gcc->build_key, clang->build_key);
  const auto directories = std::filesystem::directory_iterator(bench.settings.cache / "objects");
  EXPECT_EQ(std::distance(begin(directories), end(directories)), 2);
}

}  // namespace
}  // namespace bisect_run::kernel
