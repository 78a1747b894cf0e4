// What a build leaves, and what a tree holds, may be anything: links to files of ours, pipes that
// nobody writes into, files without end.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "bench.h"

namespace bisect_run::kernel {
namespace {

using test::Bench;

class Products : public testing::TestWithParam<const char*> {
 protected:
  Products() { test::write_file(outside / "secret", "the-secret\n"); }
  Bench bench;
  test::TempDir outside;
};

/// `ruin` runs when all is made.
void expect_skip(Bench& bench, const std::string& ruin) {
  bench.settings.deadline_s = 10;
  auto makefile = test::read_file(bench.tree.path() / "Makefile");
  bench.tree.write("Makefile", makefile + "\t@cd $(O) && " + ruin + "\n");
  const auto image = bench.build("a");
  ASSERT_FALSE(image) << ruin;
  EXPECT_EQ(image.error().kind, ErrorKind::skip_build) << image.error().message;
  EXPECT_EQ(image.error().message.find("not ready after"), std::string::npos)
      << "what an earlier build left was built upon";
  bench.tree.write("Makefile", makefile);
}

TEST_P(Products, AreNoLinkToAFileOfOurs) {
  expect_skip(bench, "rm -f " + std::string(GetParam()) + " && ln -s " +
                         (outside / "secret").string() + " " + GetParam());
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(bench.settings.cache / "images"))
    if (entry.is_regular_file()) {
      EXPECT_EQ(test::read_file(entry.path()).find("the-secret"), std::string::npos);
    }
}

TEST_P(Products, AreNoPipeAndNoDevice) {
  const std::string product = GetParam();
  expect_skip(bench, "rm -f " + product + " && mkfifo " + product);
  expect_skip(bench, "rm -f " + product + " && ln -s /dev/zero " + product);
  expect_skip(bench, "rm -f " + product + " && truncate -s 1000G " + product);
}

INSTANTIATE_TEST_SUITE_P(, Products,
                         testing::Values("vmlinux", ".config", "arch/x86/boot/bzImage",
                                         "include/config/kernel.release"),
                         [](const auto& product) {
                           std::string name = product.param;
                           std::erase_if(name, [](char c) { return std::isalnum(c) == 0; });
                           return name;
                         });

TEST(Leavings, ADirectoryThatLeadsAwayIsNotFollowed) {
  Bench bench;
  const test::TempDir outside;
  test::write_file(outside / "boot/bzImage", "the-secret\n");
  expect_skip(bench,
              "mkdir -p arch && rm -rf arch/x86 && ln -s " + outside.path().string() + " arch/x86");
}

TEST(Leavings, ADependencyFileThatIsAPipeIsPassedOver) {
  Bench bench;
  bench.tree.hook("mkfifo $1/.main.o.cmd; ln -s /dev/zero $1/.zero.cmd");
  EXPECT_TRUE(bench.build("a"));
}

TEST(HostileTree, IsReadAsFilesOfItsOwn) {
  Bench bench;
  const test::TempDir outside;
  test::write_file(outside / "Kconfig", "config OUTSIDE\n\tbool\n");
  bench.settings.recipe.config.push_back({"OUTSIDE", "y", true});
  // Links, and names that a Kconfig file gives, lead nowhere else; a device is not read for ever.
  bench.tree.write("Kconfig",
                   test::read_file(bench.tree.path() / "Kconfig") + "source \"" +
                       (outside / "Kconfig").string() + "\"\nsource \"../" +
                       outside.path().filename().string() +
                       "/Kconfig\"\nsource \"away\"\nsource \"zero\"\nsource \"pipe\"\n");
  std::filesystem::create_symlink(outside / "Kconfig", bench.tree.path() / "away");
  std::filesystem::create_symlink("/dev/zero", bench.tree.path() / "zero");
  std::filesystem::create_directories(bench.tree.path() / "scripts/kconfig");
  std::filesystem::create_symlink("/proc/kcore", bench.tree.path() / "scripts/kconfig/core");
  ASSERT_EQ(::mkfifo((bench.tree.path() / "pipe").c_str(), 0600), 0);
  const auto image = bench.build("a");
  ASSERT_FALSE(image);
  EXPECT_NE(image.error().message.find("CONFIG_OUTSIDE"), std::string::npos);
  EXPECT_NE(image.error().message.find("no Kconfig file"), std::string::npos)
      << image.error().message;
}

}  // namespace
}  // namespace bisect_run::kernel
