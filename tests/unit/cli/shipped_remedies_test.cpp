#include <gtest/gtest.h>

#include <algorithm>

#include "config/recipe.h"
#include "kernel/plan.h"
#include "kernel/tree_questions.h"
#include "support/temp_dir.h"

// The remedies that are shipped, against small trees of our own that have, or lack, the lines which
// real trees have on the two sides of each change.

namespace bisect_run {
namespace {

using Names = std::set<std::string, std::less<>>;

struct File {
  std::string name, text;
};

/// One remedy: a tree that needs it, and the file that tells otherwise once the change is there.
struct Row {
  std::string remedy;
  std::vector<File> needs;
  File cured;           ///< replaces the file of the same name
  std::string symptom;  ///< a line of make's output without the remedy; empty: make says nothing
};

const std::vector<Row>& rows() {
  static const std::vector<Row> all = {
      {"position-independent",
       {{"Makefile", "KBUILD_CFLAGS := -Wall\n"}},
       {"Makefile", "KBUILD_CFLAGS := -Wall\nKBUILD_CFLAGS += $(call cc-option,-fno-PIE)\n"},
       "cc1: error: code model kernel does not support PIC mode"},
      {"compiler-header",
       {{"include/linux/compiler-gcc.h",
         "#define gcc_header(x) _gcc_header(x)\n#include gcc_header(__GNUC__)\n"}},
       {"include/linux/compiler-gcc.h", "#define __used __attribute__((__used__))\n"},
       "include/linux/compiler-gcc.h:106:1: fatal error: linux/compiler-gcc12.h: No such file or "
       "directory"},
      {"old-standard",
       {{"Makefile", "HOSTCFLAGS = -O2\n"}},
       {"Makefile", "KBUILD_CFLAGS := -Wall -std=gnu89\n"},
       "drivers/x.c:7:3: error: 'for' loop initial declarations are only allowed in C99 mode"},
      {"decompressor-sse",
       {{"arch/x86/boot/compressed/Makefile", "KBUILD_CFLAGS += -fno-strict-aliasing -fPIC\n"}},
       {"arch/x86/boot/compressed/Makefile", "KBUILD_CFLAGS += -mno-mmx -mno-sse\n"},
       ""},
      {"early-idt-jumps",
       {{"arch/x86/kernel/head_64.S", "\tjmp early_idt_handler\n"}},
       {"arch/x86/kernel/head_64.S", "\tjmp early_idt_handler_common\n"},
       ""},
      {"common-symbols",
       {{"arch/x86/tools/relocs.c", "Elf_Addr per_cpu_load_addr;\n"}},
       {"arch/x86/tools/relocs.c", "static Elf_Addr per_cpu_load_addr;\n"},
       "/usr/bin/ld: relocs_64.o:(.bss+0x0): multiple definition of `per_cpu_load_addr'; "},
      {"make-hash-sign",
       {{"scripts/Kbuild.include",
         "squote  := '\nmake-cmd = $(subst \\#,\\\\\\#,$(subst $$,$$$$,$(call escsq,x)))\n"}},
       {"scripts/Kbuild.include",
        "pound := \\#\nmake-cmd = $(call escsq,$(subst $(pound),$$(pound),x))\n"},
       ""},
      {"perl-defined-array",
       {{"kernel/timeconst.pl", "\tif (!defined(@val)) {\n"}},
       {"kernel/timeconst.pl", "\tif (!@val) {\n"},
       "Can't use 'defined(@array)' (Maybe you should just omit the defined()?) at "
       "kernel/timeconst.pl line 373."},
      {"relocations",
       {{"arch/x86/kernel/module.c", "\t\tcase R_X86_64_PC32:\n"}},
       {"arch/x86/kernel/module.c", "\t\tcase R_X86_64_PC32:\n\t\tcase R_X86_64_PLT32:\n"},
       "Unsupported relocation type: R_X86_64_PLT32 (4)"},
      {"acpi-sections",
       {{"include/acpi/acpiosxf.h", "acpi_status __initdata acpi_os_initialize(void);\n"}},
       {"include/acpi/acpiosxf.h", "acpi_status __init acpi_os_initialize(void);\n"},
       "drivers/acpi/osl.c:1365:17: error: 'osi_setup_entries' causes a section type conflict"},
      {"jiffies-alias",
       {{"arch/x86/kernel/vmlinux.lds.S", "\t\tjiffies_64 = jiffies;\n"}},
       {"arch/x86/kernel/vmlinux.lds.S", "jiffies_64 = jiffies;\nSECTIONS\n"},
       ""},
      {"experimental",
       {{"init/Kconfig", "config EXPERIMENTAL\n\tbool\n"}},
       {"init/Kconfig", "config EXPERT\n\tbool\n"},
       ""},
      {"hotplug",
       {{"init/Kconfig", "config HOTPLUG\n\tbool\n"}},
       {"init/Kconfig", "config HOTPLUG_CPU\n\tbool\n"},
       ""},
      {"counted-jiffies",
       {{"arch/x86/kernel/tsc.c", "__setup(\"tsc=\", tsc_setup);\n"}},
       {"arch/x86/kernel/tsc.c", "early_param(\"tsc_early_khz\", tsc_early_khz_setup);\n"},
       ""},
      {"tickless-idle",
       {{"kernel/time/Kconfig", "config NO_HZ\n\tbool\n"}},
       {"kernel/time/Kconfig", "config NO_HZ_IDLE\n\tbool\nconfig NO_HZ\n\tbool\n"},
       ""},
  };
  return all;
}

class ShippedRemedies : public testing::Test {
 protected:
  void SetUp() override {
    auto loaded =
        config::load_recipe(std::filesystem::path(BISECT_RUN_SOURCE_DIR) / "kernels.yaml");
    ASSERT_TRUE(loaded) << loaded.error().message;
    recipe_ = std::move(*loaded);
  }

  /// The remedies of a tree with nothing in it but these files.
  Names applied(const std::vector<File>& files) const {
    const test::TempDir tree;
    test::write_file(tree / "Kconfig", "config SMP\n");
    for (const auto& file : files) test::write_file(tree / file.name, file.text);
    const auto facts = kernel::look_at_tree(tree.path(), "t", recipe_, {});
    EXPECT_TRUE(facts) << facts.error().message;
    return facts ? facts->remedies : Names{};
  }

  const Remedy& remedy(std::string_view name) const {
    const auto found = std::ranges::find(recipe_.remedies, name, &Remedy::name);
    if (found == recipe_.remedies.end()) throw std::logic_error("no such remedy");
    return *found;
  }

  Recipe recipe_;
};

TEST_F(ShippedRemedies, AllHaveARowHere) {
  Names shipped, tested;
  for (const auto& remedy : recipe_.remedies) shipped.insert(remedy.name);
  for (const auto& row : rows()) tested.insert(row.remedy);
  EXPECT_EQ(shipped, tested);
}

TEST_F(ShippedRemedies, ApplyWhereTheTreeNeedsThem) {
  for (const auto& row : rows()) EXPECT_TRUE(applied(row.needs).contains(row.remedy)) << row.remedy;
}

TEST_F(ShippedRemedies, ApplyNowhereElse) {
  EXPECT_EQ(applied({}), Names{});
  for (const auto& row : rows()) {
    auto files = row.needs;
    for (auto& file : files)
      if (file.name == row.cured.name) file.text = row.cured.text;
    EXPECT_FALSE(applied(files).contains(row.remedy)) << row.remedy;
  }
}

TEST_F(ShippedRemedies, OnlyThoseThatReadTheChangedFileFollowIt) {
  // The Makefile decides about two; every other file of a row about that row alone.
  for (const auto& row : rows())
    for (const auto& name : applied(row.needs))
      EXPECT_TRUE(name == row.remedy || row.needs.front().name == "Makefile") << name;
}

TEST_F(ShippedRemedies, TheirSymptomsAreWhatMakeSays) {
  for (const auto& row : rows()) {
    const auto& pattern = remedy(row.remedy).symptom;
    EXPECT_EQ(pattern.empty(), row.symptom.empty()) << row.remedy;
    if (pattern.empty()) continue;
    EXPECT_TRUE(kernel::has_line("  CC      a.o\n" + row.symptom + "\n", pattern)) << row.remedy;
    for (const auto& other : rows()) {
      if (other.remedy == row.remedy || other.symptom.empty()) continue;
      EXPECT_FALSE(kernel::has_line(other.symptom, pattern)) << row.remedy << other.remedy;
    }
  }
}

TEST_F(ShippedRemedies, EveryCompilerOfTodayHasItsHeader) {
  const auto headers =
      std::filesystem::path(BISECT_RUN_SOURCE_DIR) / "harness/remedies/include/linux";
  for (int release = 5; release <= 16; ++release)
    EXPECT_TRUE(exists(headers / ("compiler-gcc" + std::to_string(release) + ".h"))) << release;
}

}  // namespace
}  // namespace bisect_run
