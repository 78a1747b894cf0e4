#include "git/commit_text.h"

#include <gtest/gtest.h>

namespace bisect_run::git {
namespace {

constexpr const char* merge =
    "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n"
    "parent 00112233445566778899aabbccddeeff00112233\n"
    "parent ffeeddccbbaa99887766554433221100ffeeddcc\n"
    "author A > B <a@example.org> 1111111111 +0100\n"
    "committer C <c@example.org> 1234567890 -0330\n"
    "gpgsig -----BEGIN PGP SIGNATURE-----\n"
    " parent 0000000000000000000000000000000000000000\n"
    "\n"
    "\n"
    "net: a subject\n"
    "\n"
    "parent 1111111111111111111111111111111111111111\n";

TEST(CommitText, ReadsParentsCommitterTimeAndSubject) {
  const CommitText commit = parse_commit(merge);
  ASSERT_EQ(commit.parents.size(), 2u);
  EXPECT_EQ(to_hex(commit.parents[0]), "00112233445566778899aabbccddeeff00112233");
  EXPECT_EQ(to_hex(commit.parents[1]), "ffeeddccbbaa99887766554433221100ffeeddcc");
  EXPECT_EQ(commit.commit_time, 1234567890);
  EXPECT_EQ(commit.subject, "net: a subject");
}

TEST(CommitText, IsTolerantOfBrokenObjects) {
  const CommitText commit =
      parse_commit("tree x\nparent nothex\ncommitter nobody\n\nsubject without newline");
  EXPECT_TRUE(commit.parents.empty());
  EXPECT_EQ(commit.commit_time, 0);
  EXPECT_EQ(commit.subject, "subject without newline");
  EXPECT_EQ(parse_commit("").subject, "");
  EXPECT_EQ(parse_commit("tree x\n\n\n\n").subject, "");
}

TEST(CommitText, KeepsTheBytesOfTheSubject) {
  EXPECT_EQ(parse_commit("committer C <> -5 +0000\n\nr\xe9sum\xe9 \n").subject, "r\xe9sum\xe9 ");
  EXPECT_EQ(parse_commit("committer C <> -5 +0000\n\nx\n").commit_time, -5);
}

}  // namespace
}  // namespace bisect_run::git
