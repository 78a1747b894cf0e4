#include "notes.h"

#include <gtest/gtest.h>

namespace bisect_run::agent {
namespace {

std::string word(std::uint32_t value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}

/// An ELF note: name and description padded to four bytes.
std::string note(const std::string& name, std::uint32_t type, std::string description) {
  std::string padded_name = name;
  const auto size = static_cast<std::uint32_t>(description.size());
  while (padded_name.size() % 4) padded_name += '\0';
  while (description.size() % 4) description += '\0';
  return word(static_cast<std::uint32_t>(name.size())) + word(size) + word(type) + padded_name +
         description;
}

const std::string kGnu("GNU\0", 4), kXen("Xen\0", 4), kLinux("Linux\0", 6);

TEST(NotesTest, FindsTheBuildIdAmongOthers) {
  const std::string notes = note(kXen, 6, "linux") + note(kLinux, 257, std::string("\0", 1)) +
                            note(kGnu, 3, "\x01\xab\xff") + note(kGnu, 5, "later");
  EXPECT_EQ(build_id_of(notes), "01abff");
}

TEST(NotesTest, OtherNotesHaveNone) {
  EXPECT_EQ(build_id_of(""), "");
  EXPECT_EQ(build_id_of(note(kXen, 3, "abc")), "");
  EXPECT_EQ(build_id_of(note(kGnu, 1, "abc")), "");
}

// Sizes that reach beyond the end, also those whose padding wraps around, are no notes.
TEST(NotesTest, CutAndLyingNotesAreHarmless) {
  const std::string whole = note(kGnu, 3, "0123456789abcdefghij");
  for (std::size_t cut = 0; cut < whole.size(); ++cut)
    EXPECT_EQ(build_id_of(std::string_view(whole).substr(0, cut)), "") << cut;
  EXPECT_EQ(build_id_of(word(4) + word(0xffffffff) + word(3) + kGnu), "");
  EXPECT_EQ(build_id_of(word(0xfffffffe) + word(4) + word(3) + kGnu), "");
}

}  // namespace
}  // namespace bisect_run::agent
