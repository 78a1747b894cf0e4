#include "kernel/workshop.h"

#include <gtest/gtest.h>

#include <thread>

#include "bench.h"
#include "process/run.h"
#include "wire/digest.h"

namespace bisect_run::kernel {
namespace {

using test::Bench;

TEST(Workshop, BuildsAndDescribesTheImage) {
  Bench bench;
  std::vector<std::string> steps;
  const auto image = bench.build("a", "none", [&](double fraction, std::string_view what) {
    EXPECT_GE(fraction, 0);
    EXPECT_LE(fraction, 1);
    steps.emplace_back(what);
  });
  ASSERT_TRUE(image) << image.error().message << image.error().detail;
  EXPECT_FALSE(image->cached);
  EXPECT_GT(image->build_seconds, 0);
  EXPECT_EQ(image->release, "6.1.0-fake");
  EXPECT_EQ(image->config_digest, wire::digest_of(test::read_file(image->config)));
  EXPECT_EQ(test::read_file(image->config),
            "CONFIG_SMP=y\nCONFIG_RCU_NOCB_CPU=y\n# CONFIG_PCI is not set\nCONFIG_NR_CPUS=8\n");
  EXPECT_EQ(image->ledger.size(), 3U);
  EXPECT_NE(image->compiler.find("gcc"), std::string::npos);
  EXPECT_EQ(steps, (std::vector<std::string>{"configure", "CC      init/main.o", "LD      vmlinux",
                                             "built"}));

  process::Spec readelf;
  readelf.argv = {"readelf", "-n", image->bzimage.string()};
  readelf.environment = {"PATH=/usr/bin:/bin"};
  EXPECT_NE(process::run(readelf, {})->tail.find("Build ID: " + image->build_id + "\n"),
            std::string::npos);
}

TEST(Workshop, FindsItAgainWithoutACheckout) {
  Bench bench;
  EXPECT_FALSE(bench.open().cached("a", "none"));
  const auto first = bench.build("a");
  EXPECT_TRUE(bench.open().cached("a", "none"));
  const auto again = bench.build("a");
  ASSERT_TRUE(first && again);
  EXPECT_EQ(bench.checkouts, 1);
  EXPECT_TRUE(again->cached);
  EXPECT_EQ(again->build_seconds, 0);
  EXPECT_EQ(again->signature, first->signature);
  EXPECT_EQ(again->build_id, first->build_id);
  EXPECT_EQ(again->bzimage, first->bzimage);
  EXPECT_EQ(again->compiler, first->compiler);
  EXPECT_EQ(again->ledger.size(), first->ledger.size());
}

TEST(Workshop, VariantsWithOneConfigShareTheFilesOnly) {
  Bench bench;
  const auto none = bench.build("a", "none");
  EXPECT_TRUE(bench.open().cached("a", "all"));
  EXPECT_FALSE(bench.open().cached("a", "off"));
  const auto all = bench.build("a", "all");
  const auto off = bench.build("a", "off");
  ASSERT_TRUE(none && all && off);
  EXPECT_EQ(bench.checkouts, 2);
  EXPECT_EQ(all->build_key, none->build_key);
  EXPECT_EQ(all->offload, "all");
  EXPECT_EQ(all->boot_args, (std::vector<std::string>{"rcu_nocbs=0-{last}"}));
  EXPECT_TRUE(none->boot_args.empty());
  EXPECT_NE(off->build_key, none->build_key);
  EXPECT_EQ(bench.count("makes"), 2);
}

TEST(Workshop, C19EqualCodeHasEqualSignatures) {
  Bench bench;
  const auto base = bench.build("a");
  bench.tree.write("Documentation/x.txt", "words");
  const auto documentation = bench.build("b");
  bench.tree.code("0", "/* a line more */\n");
  const auto comment = bench.build("c");
  bench.tree.code("1");
  const auto code = bench.build("d");
  ASSERT_TRUE(base && documentation && comment && code);
  EXPECT_EQ(documentation->signature, base->signature);
  EXPECT_NE(documentation->build_key, base->build_key);
  EXPECT_EQ(comment->signature, base->signature);
  EXPECT_NE(comment->build_id, base->build_id);  // the line number went into the file all the same
  EXPECT_NE(code->signature, base->signature);
}

TEST(Workshop, PatchesThatLeadToOneTreeShareTheImage) {
  Bench bench;
  auto workshop = bench.open();
  const auto same_tree = [&](const std::vector<Patch>&) -> Result<Tree> {
    return Tree{bench.tree.path(), "real"};
  };
  const auto first = workshop.build("a+patch1", "none", same_tree, {}, {});
  const auto second = workshop.build("b+patch2", "none", same_tree, {}, {});
  ASSERT_TRUE(first && second);
  EXPECT_TRUE(second->cached);
  EXPECT_EQ(second->build_key, first->build_key);
  EXPECT_TRUE(workshop.cached("b+patch2", "none"));
}

TEST(Workshop, ConfiguresOnlyWhenSomethingItDependsOnChanged) {
  Bench bench;
  ASSERT_TRUE(bench.build("a"));
  const auto config = bench.objects() / "out/.config";
  const auto written = std::filesystem::last_write_time(config);
  bench.tree.code("1");
  ASSERT_TRUE(bench.build("b"));
  EXPECT_EQ(bench.count("configures"), 1);

  bench.tree.write("sub/Kconfig", "config NR_CPUS\n\tint\n# a comment\n");
  ASSERT_TRUE(bench.build("c"));
  EXPECT_EQ(bench.count("configures"), 2);
  EXPECT_EQ(std::filesystem::last_write_time(config), written);  // same answer, so make is idle

  bench.tree.write("sub/Kconfig", "config NR_CPUS\n\tint\nconfig NEW\n");
  ASSERT_TRUE(bench.build("d"));
  EXPECT_NE(test::read_file(config).find("NEW"), std::string::npos);

  test::write_file(config, "CONFIG_SMP=n\n");  // somebody's hand
  ASSERT_TRUE(bench.build("e"));
  EXPECT_EQ(bench.count("configures"), 4);
}

TEST(Workshop, C11MustHavesAndVariantsThatCannotBe) {
  Bench bench;
  bench.settings.recipe.config.push_back({"PCI", "y", true});
  const auto unmet = bench.build("a");
  ASSERT_FALSE(unmet);
  EXPECT_EQ(unmet.error().kind, ErrorKind::skip_build);
  EXPECT_NE(unmet.error().message.find("CONFIG_PCI=y became n (a dependency"), std::string::npos);
  EXPECT_EQ(bench.count("makes"), 0);

  bench.settings.recipe.config.back() = {"PCI", "y", false};
  const auto image = bench.build("a");
  ASSERT_TRUE(image);
  // The merge keeps the order: the base's lines first.
  EXPECT_EQ(image->ledger[2].symbol, "PCI");
  EXPECT_EQ(image->ledger[2].fate, LedgerFate::unmet);

  bench.settings.recipe.config.back() = {"NOWHERE", "y", true};
  const auto unknown = bench.build("a");
  EXPECT_NE(unknown.error().message.find("no Kconfig file"), std::string::npos);

  const auto impossible = bench.build("a", "zero");
  EXPECT_EQ(impossible.error().kind, ErrorKind::skip_build);
  EXPECT_NE(impossible.error().message.find("too old"), std::string::npos);
  const auto typo = bench.build("a", "nnoe");
  EXPECT_EQ(typo.error().kind, ErrorKind::usage);
  EXPECT_NE(typo.error().message.find("none, all, off, zero"), std::string::npos);
}

TEST(Workshop, CachedImagesAreHeldToTheMustsOfTheVariantAsked) {
  Bench bench;
  bench.settings.recipe.config.push_back({"PCI", "y", false});
  ASSERT_TRUE(bench.build("a"));
  bench.settings.recipe.config.back().must = true;  // same fragment, same image
  const auto stricter = bench.build("a");
  ASSERT_FALSE(stricter);
  EXPECT_EQ(stricter.error().kind, ErrorKind::skip_build);
}

TEST(Workshop, AConfigLineThatIsNoneIsRefusedAtOnce) {
  Bench bench;
  bench.settings.recipe.config.push_back({"SMP", "y\nCONFIG_PCI=y"});
  EXPECT_EQ(Workshop::open(bench.settings).error().kind, ErrorKind::usage);
}

TEST(Workshop, C19MakeSeesACleanEnvironmentAndTheTreeStaysClean) {
  Bench bench;
  ::setenv("KCFLAGS", "-Dsurprise", 1);
  bench.tree.hook("env > $1/../environment");
  ASSERT_TRUE(bench.build("a"));
  ::unsetenv("KCFLAGS");
  const auto environment = test::read_file(bench.objects() / "environment");
  EXPECT_EQ(environment.find("KCFLAGS"), std::string::npos);
  EXPECT_NE(environment.find("\nLOCALVERSION=\n"), std::string::npos) << environment;
  for (const char* fixed : {"KBUILD_BUILD_USER", "KBUILD_BUILD_HOST", "KBUILD_BUILD_TIMESTAMP",
                            "KBUILD_BUILD_VERSION", "CCACHE_DIR="})
    EXPECT_NE(environment.find(fixed), std::string::npos) << fixed;
  EXPECT_EQ(environment.find("CCACHE_BASEDIR"), std::string::npos);
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(bench.tree.path()))
    names.insert(entry.path().filename());
  EXPECT_EQ(names, (std::set<std::string>{"Kconfig", "Makefile", "configure.awk", "hook.sh", "init",
                                          "sub"}));
}

// The guest has to show the release that was built, whatever the tree's own files add to it.
TEST(Workshop, ALocalversionFileIsPartOfTheReleaseThatTheGuestMustShow) {
  Bench bench;
  auto makefile = test::read_file(bench.tree.path() / "Makefile");
  const std::string plain = "echo 6.1.0-fake >";
  makefile.replace(makefile.find(plain), plain.size(),
                   "echo 6.1.0-fake$$(cat localversion* 2> /dev/null)$(LOCALVERSION) >");
  bench.tree.write("Makefile", makefile);
  EXPECT_EQ(bench.build("a")->release, "6.1.0-fake");
  bench.tree.write("localversion-theirs", "-theirs\n");
  ::setenv("LOCALVERSION", "-mine", 1);
  EXPECT_EQ(bench.build("b")->release, "6.1.0-fake-theirs");
  ::unsetenv("LOCALVERSION");
}

TEST(Workshop, TwoControllersBuildOnce) {
  Bench bench;
  // The first one is held until the second one waits.
  const auto flag = bench.settings.cache / "go";
  bench.tree.hook("while ! test -e " + flag.string() + "; do sleep 0.02; done");
  auto first = bench.open(), second = bench.open();
  Result<Image> one, two;
  std::jthread other;
  one = first.build("a", "none", bench.checkout(), {}, [&](double, std::string_view what) {
    if (what != "CC      init/main.o") return;
    other = std::jthread([&] {
      two = second.build("a", "none", bench.checkout(), {}, [&](double, std::string_view waits) {
        if (waits.starts_with("wait")) test::write_file(flag, "");
      });
    });
  });
  other.join();
  ASSERT_TRUE(one && two);
  EXPECT_TRUE(two->cached);
  EXPECT_EQ(bench.count("makes"), 1);
  EXPECT_EQ(two->signature, one->signature);
}

}  // namespace
}  // namespace bisect_run::kernel
