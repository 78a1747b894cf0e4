#include "git/patch_text.h"

#include <gtest/gtest.h>

namespace bisect_run::git {
namespace {

using Kind = FileChange::Kind;

std::vector<FileChange> parsed(std::string_view text) {
  auto changes = parse_patch(text);
  EXPECT_TRUE(changes) << changes.error().message;
  return changes ? *changes : std::vector<FileChange>{};
}

std::string refused(std::string_view text) {
  const auto changes = parse_patch(text);
  EXPECT_FALSE(changes);
  if (changes) return "accepted";
  EXPECT_EQ(changes.error().kind, ErrorKind::usage);
  return changes.error().message;
}

TEST(PatchText, ReadsAMailWithTwoFiles) {
  const auto changes = parsed(
      "From 0123 Mon Sep 17 00:00:00 2001\nFrom: A <a@b>\nSubject: [PATCH] x\n\n"
      "--- not a header, just words\n---\n a.c | 2 +-\n\n"
      "diff --git a/a.c b/a.c\nindex 1..2 100644\n--- a/a.c\n+++ b/a.c\n"
      "@@ -3,3 +3,3 @@ int f(void)\n one\n-two\n+zwei\n three\n"
      "diff --git a/d/new b/d/new\nnew file mode 100755\nindex 0..3\n--- /dev/null\n+++ b/d/new\n"
      "@@ -0,0 +1 @@\n+hello\n\\ No newline at end of file\n-- \n2.39.5\n\n");
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].kind, Kind::modify);
  EXPECT_EQ(changes[0].path(), "a.c");
  ASSERT_EQ(changes[0].hunks.size(), 1u);
  EXPECT_EQ(changes[0].hunks[0].old_start, 3);
  EXPECT_EQ(changes[0].hunks[0].lines.size(), 4u);
  EXPECT_EQ(changes[0].hunks[0].lines[2].text, "zwei\n");
  EXPECT_EQ(changes[1].kind, Kind::add);
  EXPECT_EQ(changes[1].new_path, "d/new");
  EXPECT_EQ(changes[1].mode, 0100755u);
  EXPECT_EQ(changes[1].hunks[0].lines[0].text, "hello");
}

TEST(PatchText, ReadsAPlainDiffWithTimes) {
  const auto changes = parsed(
      "diff -ru linux.orig/kernel/a b.c linux/kernel/a b.c\n"
      "--- linux.orig/kernel/a b.c\t2024-01-01 00:00:00 +0100\n"
      "+++ linux/kernel/a b.c\t2024-01-02 00:00:00 +0100\n@@ -1 +1 @@\n-x\n+y\n");
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].path(), "kernel/a b.c");
}

TEST(PatchText, ReadsWhatDiffNSaysOfFilesThatAreNotThere) {
  const auto plain = [](const std::string& old_time, const std::string& new_time,
                        const std::string& hunk) {
    return parsed("diff -Nur a/f b/f\n--- a/f\t" + old_time + "\n+++ b/f\t" + new_time + "\n" +
                  hunk)
        .at(0);
  };
  const std::string now = "2024-01-02 00:00:00.000000000 +0100";
  const std::string whole = "@@ -0,0 +1 @@\n+x\n", gone = "@@ -1 +0,0 @@\n-x\n";
  for (const std::string epoch :
       {"1970-01-01 00:00:00.000000000 +0000", "1970-01-01 01:00:00.000000000 +0100",
        "1969-12-31 20:30:00.000000000 -0330", "1970-01-01 00:00:00 +0000"}) {
    const auto added = plain(epoch, now, whole);
    EXPECT_EQ(added.kind, Kind::add) << epoch;
    EXPECT_EQ(added.old_path + "|" + added.new_path, "|f");
    const auto removed = plain(now, epoch, gone);
    EXPECT_EQ(removed.kind, Kind::remove) << epoch;
    EXPECT_EQ(removed.old_path + "|" + removed.new_path, "f|");
    EXPECT_EQ(plain(epoch, epoch, "@@ -1 +1 @@\n-x\n+y\n").kind, Kind::modify) << epoch;
  }
  // A file that was, or becomes, empty.
  EXPECT_EQ(plain(now, now, whole).kind, Kind::modify);
  EXPECT_EQ(plain(now, now, gone).kind, Kind::modify);
  EXPECT_EQ(plain("1970-01-01 01:00:00.000000000 +0000", now, whole).kind, Kind::modify);
}

TEST(PatchText, ReadsRenamesModesAndEmptyFiles) {
  const auto changes = parsed(
      "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n"
      "diff --git a/s.sh b/s.sh\nold mode 100644\nnew mode 100755\n"
      "diff --git a/e m b/e m\nnew file mode 100644\nindex 0..0\n"
      "diff --git a/gone b/gone\ndeleted file mode 100644\nindex 0..0\n"
      "diff --git \"a/\\303\\244\" \"b/\\303\\244\"\n--- \"a/\\303\\244\"\n+++ \"b/\\303\\244\"\n"
      "@@ -1 +1 @@\n-x\n+y\n");
  ASSERT_EQ(changes.size(), 5u);
  EXPECT_EQ(changes[0].kind, Kind::rename);
  EXPECT_EQ(changes[0].old_path, "x");
  EXPECT_EQ(changes[0].new_path, "y");
  EXPECT_EQ(changes[1].kind, Kind::modify);
  EXPECT_EQ(changes[1].mode, 0100755u);
  EXPECT_EQ(changes[2].kind, Kind::add);
  EXPECT_EQ(changes[2].new_path, "e m");
  EXPECT_EQ(changes[3].kind, Kind::remove);
  EXPECT_EQ(changes[3].old_path, "gone");
  EXPECT_EQ(changes[4].path(), "\xc3\xa4");
}

TEST(PatchText, ForgivesWhatMailProgramsDo) {
  // The blank of an empty context line is gone; line ends are those of the wire.
  const auto changes = parsed("--- a/f\r\n+++ b/f\r\n@@ -1,3 +1,3 @@\r\n a\r\n\r\n-b\r\n+c\r\n");
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].hunks[0].lines[1].text, "\n");
  EXPECT_EQ(changes[0].hunks[0].lines[3].text, "c\n");
}

TEST(PatchText, CountsLinesInsteadOfGuessing) {
  // Lines that look like headers inside a hunk belong to it.
  const auto changes = parsed("--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n--- a/g\n-x\n+++ b/g\n+y\n");
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].hunks[0].lines.size(), 4u);
}

TEST(PatchText, RefusesWhatItCannotDo) {
  EXPECT_NE(refused("").find("is this a patch"), std::string::npos);
  EXPECT_NE(refused("just a text\n").find("is this a patch"), std::string::npos);
  EXPECT_NE(refused("--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n").find("cut off"), std::string::npos);
  EXPECT_NE(refused("--- a/f\n+++ b/f\n@@ -1,2 +1,1 @@\n a\n*b\n").find("damaged"),
            std::string::npos);
  EXPECT_NE(refused("--- a/f\n+++ b/f\n@@ -1,1 +1,2 @@\n+a\n-b\n-c\n").find("one too many"),
            std::string::npos);
  EXPECT_NE(refused("diff --git a/f b/f\nindex 1..2\nGIT binary patch\nliteral 3\n").find("binary"),
            std::string::npos);
  for (const std::string half :
       {"rename from f\n", "rename to f\n", "copy from f\n", "copy to f\n"})
    EXPECT_NE(refused("diff --git a/f b/g\n" + half).find("lacks one of its two names"),
              std::string::npos)
        << half;
  for (const std::string odd : {"040000", "120644", "0", "", "x", "777777777777777", "010644"})
    EXPECT_NE(refused("diff --git a/m b/m\nnew file mode " + odd + "\n").find("gives a mode"),
              std::string::npos)
        << odd;
  EXPECT_NE(refused("diff --git a/m b/m\nnew file mode 160000\n").find("submodule"),
            std::string::npos);
  EXPECT_NE(refused("diff --cc a.c\nindex 1,2..3\n").find("merge"), std::string::npos);
  EXPECT_NE(refused("Content-Transfer-Encoding: Base64\n\nZGlmZg==\n").find("encoded"),
            std::string::npos);
}

TEST(PatchText, LosesNoPieceOfADiff) {
  const std::string file = "--- a/f\n+++ b/f\n";
  const std::string first = "@@ -1,2 +1,2 @@\n a\n-b\n+B\n", second = "@@ -8 +8 @@\n-h\n+H\n";
  EXPECT_EQ(parsed(file + first + second).at(0).hunks.size(), 2u);
  for (const std::string between : {"\n", "words\n", "-- \n2.39\n"})
    EXPECT_NE(refused(file + first + between + second).find("does not follow the names"),
              std::string::npos)
        << between;
  EXPECT_NE(refused(file + "words\n" + first + file + second).find("does not follow the names"),
            std::string::npos);
  // The counts are too low: what is left of the hunk is no text.
  for (const std::string more : {" c\n", "+c\n", "-c\n"})
    EXPECT_NE(refused(file + first + more).find("one too many for @@ -1,2 +1,2 @@"),
              std::string::npos)
        << more;
  EXPECT_NE(refused("Binary files a/x and b/x differ\n" + file + first).find("binary"),
            std::string::npos);
}

class Outside : public testing::TestWithParam<const char*> {};

TEST_P(Outside, IsRefused) {
  const std::string path = GetParam();
  EXPECT_NE(refused("--- a/f\n+++ b/" + path + "\n@@ -1 +1 @@\n-x\n+y\n").find("leaves the source"),
            std::string::npos);
  EXPECT_NE(refused("diff --git a/f b/g\nrename from f\nrename to " + path + "\n").find("leaves"),
            std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Paths, Outside,
                         testing::Values("../x", "a/../../x", "/etc/passwd", "a//b", "./a",
                                         ".git/x", "a/.GIT/hooks", "a/.."));

TEST(PatchText, LooksAtPathsAfterUnquoting) {
  EXPECT_NE(refused("--- a/f\n+++ \"b/\\056\\056/x\"\n@@ -1 +1 @@\n-x\n+y\n").find("leaves"),
            std::string::npos);
}

/// No text, however torn, may do more than give an error.
TEST(PatchText, SurvivesTornInput) {
  const std::string whole =
      "diff --git a/x b/y\nsimilarity index 9%\nrename from x\nrename to y\n--- a/x\n+++ b/y\n"
      "@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n"
      "--- /dev/null\n+++ b/z\n@@ -0,0 +1 @@\n+q\n";
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    (void)parse_patch(whole.substr(0, cut));
    (void)parse_patch(whole.substr(cut));
    std::string changed = whole;
    changed[cut] = static_cast<char>(changed[cut] ^ 0x15);
    (void)parse_patch(changed);
  }
  EXPECT_EQ(parsed(whole).size(), 2u);
}

}  // namespace
}  // namespace bisect_run::git
