#include "kernel/kconfig.h"

#include <gtest/gtest.h>

#include "support/temp_dir.h"

namespace bisect_run::kernel {
namespace {

using Symbols = std::set<std::string, std::less<>>;

Symbols symbols_in(std::string_view text, std::vector<std::string>* sources = nullptr) {
  Symbols symbols;
  std::vector<std::string> ignored;
  scan_kconfig(text, symbols, sources != nullptr ? *sources : ignored);
  return symbols;
}

TEST(Kconfig, FindsSymbolsAndSources) {
  std::vector<std::string> sources;
  const auto found = symbols_in(
      "mainmenu \"x\"\nconfig A\n\tbool \"a\"\nmenuconfig B_2 # why\n  config\tC\nconfigure D\n"
      "source \"kernel/Kconfig\"\nsource arch/$SRCARCH/Kconfig\nsource "
      "\"arch/$(SRCARCH)/Kconfig.cpu\"",
      &sources);
  EXPECT_EQ(found, (Symbols{"A", "B_2", "C"}));
  EXPECT_EQ(sources, (std::vector<std::string>{"kernel/Kconfig", "arch/x86/Kconfig",
                                               "arch/x86/Kconfig.cpu"}));
}

TEST(Kconfig, HelpTextDeclaresNothing) {
  EXPECT_EQ(
      symbols_in("config A\n\thelp\n\t  Set\n\t  config NOT_ME\n\n\t  config NOR_ME\nconfig B\n"
                 "\t---help---\n\t  text\n\tconfig C\nconfig D\n\thelp\nconfig E\n"),
      (Symbols{"A", "B", "C", "D", "E"}));
}

TEST(Kconfig, FollowsSourcesOnceAndDigestsThem) {
  const test::TempDir tree;
  test::write_file(tree / "Kconfig", "source \"a/Kconfig\"\nsource \"gone/Kconfig\"\n");
  test::write_file(tree / "a/Kconfig", "config A\nsource \"Kconfig\"\n");
  const auto before = read_kconfig(tree.path());
  ASSERT_TRUE(before);
  EXPECT_EQ(before->symbols, (Symbols{"A"}));
  test::write_file(tree / "unrelated/Kconfig", "config B\n");
  EXPECT_EQ(read_kconfig(tree.path())->digest, before->digest);
  test::write_file(tree / "a/Kconfig", "config A\n\tdefault y\nsource \"Kconfig\"\n");
  EXPECT_NE(read_kconfig(tree.path())->digest, before->digest);
}

TEST(Kconfig, OldTreesBeginAtTheArchitecture) {
  const test::TempDir tree;
  test::write_file(tree / "arch/x86/Kconfig", "config OLD\n");
  EXPECT_TRUE(read_kconfig(tree.path())->declares("OLD"));
}

TEST(Kconfig, NoKernelTreeIsASkip) {
  const test::TempDir tree;
  EXPECT_EQ(read_kconfig(tree.path()).error().kind, ErrorKind::skip_build);
}

}  // namespace
}  // namespace bisect_run::kernel
