#include "kernel/remedy.h"

#include <gtest/gtest.h>

#include "kernel/tree_questions.h"
#include "support/temp_dir.h"

namespace bisect_run::kernel {
namespace {

using Kind = TreeQuestion::Kind;
using List = std::vector<std::string>;

Remedy named(std::string name) {
  Remedy remedy;
  remedy.name = std::move(name);
  return remedy;
}

TEST(TreeQuestions, LookAtFilesAndLines) {
  const test::TempDir tree;
  test::write_file(tree / "Makefile", "CFLAGS = -O2\nCFLAGS += -fno-PIE");
  TreeAnswers answers(tree.path(), {});
  EXPECT_TRUE(answers.holds({Kind::exists, "Makefile", "", ""}));
  EXPECT_FALSE(answers.holds({Kind::exists, "Kbuild", "", ""}));
  EXPECT_TRUE(answers.holds({Kind::absent, "Kbuild", "", ""}));
  EXPECT_FALSE(answers.holds({Kind::absent, "Makefile", "", ""}));
  EXPECT_TRUE(answers.holds({Kind::has, "Makefile", "-fno-(pie|PIE)$", ""}));
  EXPECT_FALSE(answers.holds({Kind::has, "Makefile", "O2.*PIE", ""}));  // a line, not the file
  EXPECT_TRUE(answers.holds({Kind::lacks, "Makefile", "-std=", ""}));
  EXPECT_FALSE(answers.holds({Kind::lacks, "Makefile", "O2$", ""}));
}

TEST(TreeQuestions, AFileThatIsNotThereNeitherHasNorLacks) {
  const test::TempDir tree;
  TreeAnswers answers(tree.path(), {});
  EXPECT_FALSE(answers.holds({Kind::has, "Makefile", "x", ""}));
  EXPECT_FALSE(answers.holds({Kind::lacks, "Makefile", "x", ""}));
}

TEST(TreeQuestions, AncestryIsWhatTheCallerFound) {
  const test::TempDir tree;
  TreeAnswers answers(tree.path(), {"728dba3a39c6"});
  EXPECT_TRUE(answers.holds({Kind::contains, "", "", "728dba3a39c6"}));
  EXPECT_FALSE(answers.holds({Kind::contains, "", "", "48a066e72d97"}));
  EXPECT_TRUE(answers.holds({Kind::contains_not, "", "", "48a066e72d97"}));
  EXPECT_FALSE(answers.holds({Kind::contains_not, "", "", "728dba3a39c6"}));
}

TEST(Remedy, ThoseThatFitAreJoined) {
  auto first = named("first");
  first.flags = {{"CC", {"-fno-pie"}}, {"KAFLAGS", {"-Wa,-mshared"}}};
  first.config = {{"ACPI", "n"}};
  auto other = named("other");
  other.flags = {{"CC", {"-m32"}}};
  auto last = named("last");
  last.flags = {{"CC", {"-std=gnu89", "-mno-sse"}}};
  last.make_variables = {"pound=#", "make-cmd={make-cmd}"};
  last.boot_args = {"x=1"};
  last.patches = {"p.patch"};
  const auto sum = treat({first, other, last}, {"first", "last"}, {{"make-cmd", "$(x)"}});
  ASSERT_TRUE(sum);
  EXPECT_EQ(sum->flags.at("CC"), (List{"-fno-pie", "-std=gnu89", "-mno-sse"}));
  EXPECT_EQ(sum->flags.at("KAFLAGS"), List{"-Wa,-mshared"});
  EXPECT_EQ(sum->make_variables, (List{"pound=#", "make-cmd=$(x)"}));
  EXPECT_EQ(sum->config, (std::vector<ConfigLine>{{"ACPI", "n"}}));
  EXPECT_EQ(sum->boot_args, List{"x=1"});
  EXPECT_EQ(sum->patches, List{"p.patch"});
  ASSERT_EQ(sum->applied.size(), 2u);
  EXPECT_EQ(sum->applied[0].did, "CC+=-fno-pie; KAFLAGS+=-Wa,-mshared; CONFIG_ACPI=n");
  EXPECT_EQ(sum->applied[1].did,
            "CC+=-std=gnu89 -mno-sse; pound=; make-cmd=; boot x=1; patch p.patch");
}

TEST(Remedy, NeedsWhatItDerives) {
  auto remedy = named("hash");
  remedy.make_variables = {"make-cmd={make-cmd}"};
  const auto sum = treat({remedy}, {"hash"}, {});
  ASSERT_FALSE(sum);
  EXPECT_EQ(sum.error().kind, ErrorKind::skip_build);
  EXPECT_EQ(sum.error().message.find("remedy hash: "), 0u) << sum.error().message;
}

TEST(Remedy, FlagsAreAddedToWhateverStandsLast) {
  EXPECT_EQ(
      with_flags({"CC=gcc", "HOSTCC=cc", "CC=gcc-10"}, {{"CC", {"-a", "-b"}}, {"KAFLAGS", {"-c"}}}),
      (List{"CC=gcc", "HOSTCC=cc", "CC=gcc-10 -a -b", "KAFLAGS=-c"}));
  EXPECT_EQ(with_directory("-I{remedies}/a:{remedies}", "/x"), "-I/x/a:/x");
}

TEST(Remedy, ExplainsAFailureWithAKnownSymptom) {
  auto remedy = named("pie");
  remedy.symptom = "does not support PIC mode$";
  remedy.cures = "compilers of today";
  remedy.when = {{Kind::lacks, "Makefile", "-fno-PIE", ""}};
  const std::string log = "  CC      a.o\ncc1: error: x does not support PIC mode\nmake: *** x\n";
  EXPECT_EQ(explain(log, {remedy}, {}),
            "remedy pie is known for this (compilers of today), but is not applied here, since it "
            "is for trees where Makefile has no line '-fno-PIE'; widen its `when` in kernels.yaml");
  EXPECT_EQ(explain(log, {remedy}, {{"pie", ""}}),
            "remedy pie is known for this (compilers of today), but was applied already");
  EXPECT_EQ(explain("a.c:1:1: error: other\n", {remedy}, {}), "");
  remedy.symptom.clear();
  EXPECT_EQ(explain(log, {remedy}, {}), "");
}

}  // namespace
}  // namespace bisect_run::kernel
