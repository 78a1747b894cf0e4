#include "git/patch_apply.h"

#include <gtest/gtest.h>

namespace bisect_run::git {
namespace {

FileChange change(const std::string& hunks) {
  auto changes = parse_patch("--- a/f.c\n+++ b/f.c\n" + hunks);
  EXPECT_TRUE(changes) << changes.error().message;
  return changes ? changes->at(0) : FileChange{};
}

std::string applied(std::string_view text, const std::string& hunks) {
  const auto result = apply_hunks(text, change(hunks));
  return result ? *result : "refused: " + result.error().message;
}

const std::string replace_b = "@@ -2,3 +2,3 @@\n a\n-b\n+B\n c\n";

TEST(PatchApply, ReplacesInPlaceAndMoved) {
  EXPECT_EQ(applied("x\na\nb\nc\ny\n", replace_b), "x\na\nB\nc\ny\n");
  EXPECT_EQ(applied("x\nx\nx\na\nb\nc\n", replace_b), "x\nx\nx\na\nB\nc\n");
  EXPECT_EQ(applied("a\nb\nc\n", replace_b), "a\nB\nc\n");
}

TEST(PatchApply, TakesTheNearestPlace) {
  EXPECT_EQ(applied("a\nb\nc\n1\n2\n3\n4\na\nb\nc\n", replace_b), "a\nB\nc\n1\n2\n3\n4\na\nb\nc\n");
  EXPECT_EQ(applied("1\n2\n3\n4\n5\n6\na\nb\nc\na\nb\nc\n", replace_b),
            "1\n2\n3\n4\n5\n6\na\nB\nc\na\nb\nc\n");
}

TEST(PatchApply, KeepsAMissingLastNewline) {
  EXPECT_EQ(applied("x\na\nb", "@@ -2,2 +2,3 @@\n a\n-b\n\\ No newline at end of file\n+b\n+c\n"),
            "x\na\nb\nc\n");
  EXPECT_EQ(applied("a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n"),
            "a\nb");
}

TEST(PatchApply, AnchorsHunksWithoutContext) {
  const std::string append = "@@ -2,1 +2,2 @@\n b\n+new\n";
  EXPECT_EQ(applied("a\nb\n", append), "a\nb\nnew\n");
  EXPECT_NE(applied("a\nb\nc\n", append).find("does not fit"), std::string::npos);
  const std::string prepend = "@@ -1,1 +1,2 @@\n+new\n a\n";
  EXPECT_EQ(applied("a\nb\n", prepend), "new\na\nb\n");
  EXPECT_NE(applied("x\na\n", prepend).find("does not fit"), std::string::npos);
}

TEST(PatchApply, NamesFileAndHunkOfAConflict) {
  const std::string two = "@@ -1,2 +1,2 @@\n-a\n+A\n b\n@@ -5,2 +5,2 @@ int main()\n e\n-f\n+F\n";
  EXPECT_EQ(applied("a\nb\nc\nd\ne\nf\n", two), "A\nb\nc\nd\ne\nF\n");
  EXPECT_EQ(applied("a\nb\nc\nd\ne\nX\n", two),
            "refused: f.c: hunk 2 of 2 (@@ -5,2 +5,2 @@ int main()) does not fit");
}

// What patch(1) would do with -F1 and -F2 (tried by hand with GNU patch 2.7): said, never done.
TEST(PatchApply, TellsWhatFuzzWouldDo) {
  const std::string wide = "@@ -2,5 +2,5 @@\n a\n b\n-c\n+C\n d\n e\n";
  EXPECT_EQ(applied("x\na\nb\nc\nd\ne\n", wide), "x\na\nb\nC\nd\ne\n");
  EXPECT_EQ(
      applied("x\nA\nb\nc\nd\ne\n", wide),
      "refused: f.c: hunk 1 of 1 (@@ -2,5 +2,5 @@) does not fit; with fuzz 1 it would at line "
      "2 of f.c, but what stands around it has changed: make the patch anew on this commit");
  EXPECT_NE(applied("x\na\nB\nc\nd\ne\n", wide).find("with fuzz 2 it would at line 2"),
            std::string::npos);
  EXPECT_TRUE(applied("x\na\nb\nQ\nd\ne\n", wide).ends_with("does not fit"));
}

TEST(PatchApply, SeesThatItWasAppliedBefore) {
  EXPECT_NE(applied("x\na\nB\nc\ny\n", replace_b).find("applied before?"), std::string::npos);
}

TEST(PatchApply, DoesNotUseALineTwice) {
  // The second hunk would only fit on what the first has put there.
  const std::string two = "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n@@ -4,3 +4,3 @@\n a\n-B\n+Q\n c\n";
  EXPECT_NE(applied("a\nb\nc\nd\n", two).find("hunk 2 of 2"), std::string::npos);
}

TEST(PatchApply, MakesAndEmptiesFiles) {
  EXPECT_EQ(applied("", "@@ -0,0 +1,2 @@\n+a\n+b\n"), "a\nb\n");
  EXPECT_EQ(applied("a\nb\n", "@@ -1,2 +0,0 @@\n-a\n-b\n"), "");
}

}  // namespace
}  // namespace bisect_run::git
