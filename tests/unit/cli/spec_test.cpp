#include "cli/spec.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

namespace bisect_run::cli {
namespace {

struct World {
  std::set<std::string> revisions{"v3.15", "HEAD@{1}", "v1+dirty", "abc", "v1+x@none"};
  std::set<std::string> files{"fix.patch", "a+b.patch"};
  SpecContext context() {
    return {.resolve = [this](const std::string& r) -> Result<Oid> {
              if (revisions.contains(r)) return Oid{"oid-of-" + r};
              return fail(ErrorKind::usage, "unknown revision " + r);
            },
            .named = [](const std::string& name) -> Result<std::optional<KernelSpec>> {
              if (name == "gone") return fail(ErrorKind::usage, "the kernel gone: no revision v9");
              if (name != "mine" && name != "abc") return std::nullopt;
              KernelSpec spec{.text = name,
                              .commit = {"oid-of-name-" + name},
                              .patches = {{"own.patch", "own"}},
                              .variant = name == "mine" ? "all" : ""};
              spec.machine = Machine{.cpus = 4};
              return spec;
            },
            .patch = [](const std::string& name) -> Result<Patch> { return Patch{name, "text"}; },
            .is_patch =
                [this](const std::string& n) { return files.contains(n) || revisions.contains(n); },
            .is_variant = [](const std::string& n) { return n == "all" || n == "none"; },
            .over = [](const std::string& base, const std::string& over) -> Result<std::string> {
              return over.empty() ? base : over;
            },
            .default_variant = "none"};
  }
};

struct Case {
  const char *text, *revision, *variant;
  std::vector<std::string> patches;
};

TEST(Spec, ReadsEveryForm) {
  World world;
  const std::vector<Case> cases{
      {"v3.15", "v3.15", "none", {}},
      {"v3.15@all", "v3.15", "all", {}},
      {"HEAD@{1}", "HEAD@{1}", "none", {}},
      {"HEAD@{1}@all", "HEAD@{1}", "all", {}},
      {"v1+dirty", "v1+dirty", "none", {}},
      {"v1+dirty+fix.patch@all", "v1+dirty", "all", {"fix.patch"}},
      {"v3.15+fix.patch", "v3.15", "none", {"fix.patch"}},
      {"v3.15+a+b.patch", "v3.15", "none", {"a+b.patch"}},
      {"v3.15+fix.patch+abc@all", "v3.15", "all", {"fix.patch", "abc"}},
      {"v1+x@none", "v1+x@none", "none", {}},  // a revision as a whole comes first
  };
  for (const auto& test : cases) {
    const auto spec = read_spec(test.text, world.context());
    ASSERT_TRUE(spec) << test.text << ": " << spec.error().message;
    EXPECT_EQ(spec->commit.hex, std::string("oid-of-") + test.revision) << test.text;
    EXPECT_EQ(spec->variant, test.variant) << test.text;
    std::vector<std::string> names;
    for (const auto& patch : spec->patches) names.push_back(patch.name);
    EXPECT_EQ(names, test.patches) << test.text;
  }
}

// design.md section 1: the whole string is tried first as a named kernel; `abc` is a revision, too.
TEST(Spec, ANameComesFirstAndIsASpecEverywhere) {
  World world;
  const auto mine = read_spec("mine", world.context());
  ASSERT_TRUE(mine) << mine.error().message;
  EXPECT_EQ(mine->commit.hex, "oid-of-name-mine");
  EXPECT_EQ(mine->variant, "all");
  EXPECT_EQ(mine->machine->cpus, 4);
  EXPECT_EQ(mine->text, "mine");
  const auto both = read_spec("abc", world.context());
  EXPECT_EQ(both->commit.hex, "oid-of-name-abc");
  EXPECT_EQ(both->variant, "none");  // the default, for it names none
  const auto more = read_spec("mine+fix.patch@none", world.context());
  ASSERT_TRUE(more) << more.error().message;
  EXPECT_EQ(more->commit.hex, "oid-of-name-mine");
  EXPECT_EQ(more->variant, "none");
  ASSERT_EQ(more->patches.size(), 2U);
  EXPECT_EQ(more->patches[0].name, "own.patch");
  EXPECT_EQ(more->patches[1].name, "fix.patch");
  EXPECT_EQ(read_spec("gone", world.context()).error().message, "the kernel gone: no revision v9");
  EXPECT_EQ(read_spec("gone+fix.patch@all", world.context()).error().message,
            "the kernel gone: no revision v9");
}

TEST(Spec, TheTextLeavesTheVariantOut) {
  World world;
  EXPECT_EQ(read_spec("v3.15+fix.patch@all", world.context())->text, "v3.15+fix.patch");
  EXPECT_EQ(read_spec("v1+x@none", world.context())->text, "v1+x@none");
}

TEST(Spec, NamesThePartThatIsUnknown) {
  World world;
  const auto spec = read_spec("v9.9@all", world.context());
  ASSERT_FALSE(spec);
  EXPECT_EQ(spec.error().kind, ErrorKind::usage);
  EXPECT_NE(spec.error().message.find("v9.9"), std::string::npos);
  EXPECT_EQ(read_spec("v3.15+nothere.patch@all", world.context()).error().message,
            "v3.15+nothere.patch: there is no file and no commit nothere.patch to take as a patch");
  EXPECT_FALSE(read_spec("", world.context()));
  EXPECT_FALSE(read_spec("@all", world.context()));
  EXPECT_FALSE(read_spec("+fix.patch", world.context()));
}

}  // namespace
}  // namespace bisect_run::cli
