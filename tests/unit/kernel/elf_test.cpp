#include "kernel/elf.h"

#include <gtest/gtest.h>

#include <random>

#include "kernel/signature.h"
#include "synthetic_elf.h"

namespace bisect_run::kernel {
namespace {

using test::note;
using test::synthetic_elf;

std::string sample() {
  return synthetic_elf({{".text", SHT_PROGBITS, SHF_ALLOC, "code"},
                        {".bss", SHT_NOBITS, SHF_ALLOC, std::string(64, 'x')},
                        {".notes", SHT_NOTE, SHF_ALLOC, note("GNU", NT_GNU_BUILD_ID, "id")}});
}

TEST(Elf, ListsSections) {
  const auto file = sample();
  const auto sections = elf_sections(file);
  ASSERT_TRUE(sections) << sections.error().message;
  ASSERT_EQ(sections->size(), 4U);
  EXPECT_EQ((*sections)[0].name, ".text");
  EXPECT_EQ((*sections)[0].bytes, "code");
  EXPECT_TRUE((*sections)[0].allocated());
  EXPECT_TRUE((*sections)[0].has_bytes());
  EXPECT_EQ((*sections)[1].size, 64U);
  EXPECT_TRUE((*sections)[1].bytes.empty());
  EXPECT_FALSE((*sections)[1].has_bytes());
  EXPECT_TRUE((*sections)[2].is_note());
  EXPECT_FALSE((*sections)[3].allocated());
}

TEST(Elf, RefusesWhatIsNoVmlinux) {
  for (const auto& file : {std::string(),
                           std::string("\x7f"
                                       "ELF"),
                           std::string(5000, '\0'), std::string(5000, '\xff')}) {
    const auto sections = elf_sections(file);
    ASSERT_FALSE(sections);
    EXPECT_EQ(sections.error().kind, ErrorKind::infra);
  }
  auto other_class = sample();
  other_class[EI_CLASS] = ELFCLASS32;
  EXPECT_FALSE(elf_sections(other_class));
}

TEST(Elf, EveryTruncationIsRefused) {
  const auto whole = sample();
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(elf_sections(whole.substr(0, size))) << size;
}

/// Under AddressSanitizer this shows reads outside; without it, that nothing ends badly.
TEST(Elf, DamagedFilesAreReadWithinBounds) {
  const auto whole = sample();
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    auto file = whole;
    for (unsigned hits = 1 + random() % 8; hits > 0; --hits)
      file[random() % file.size()] = static_cast<char>(random());
    // An exact heap copy, so that one byte too far is outside.
    const std::vector<char> exact(file.begin(), file.end());
    const std::string_view view(exact.data(), exact.size());
    if (const auto sections = elf_sections(view))
      for (const auto& section : *sections)
        if (!section.bytes.empty()) {
          EXPECT_GE(section.bytes.data(), view.data());
          EXPECT_LE(section.bytes.data() + section.bytes.size(), view.data() + view.size());
        }
    (void)identify(view);
  }
}

TEST(Elf, FindsANoteAmongOthers) {
  const auto notes = note("Linux", 1, "abcde") + note("GNU", 1, "no") + note("Xen", 3, "no") +
                     note("GNU", NT_GNU_BUILD_ID, "yes");
  EXPECT_EQ(find_note(notes, "GNU", NT_GNU_BUILD_ID), "yes");
  EXPECT_EQ(find_note(notes, "Linux", 1), "abcde");
  EXPECT_EQ(find_note(notes, "GN", NT_GNU_BUILD_ID), std::nullopt);
  EXPECT_EQ(find_note({}, "GNU", 3), std::nullopt);
  EXPECT_EQ(find_note(note("GNU", 3, "xxxx").substr(0, 18), "GNU", 3), std::nullopt);
}

}  // namespace
}  // namespace bisect_run::kernel
