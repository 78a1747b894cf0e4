#include <gtest/gtest.h>

#include "config/recipe.h"
#include "support/recipe_text.h"

namespace bisect_run::config {
namespace {

using test::recipe_message;

const std::string kStart =
    "config: [{for: a test, must: {SMP: y, TTY: y}, where-known: [TTY]}]\n"  // 1
    "variants: {none: {summary: s, cases: [{offload: none}]}}\n"             // 2
    "machines: {m: {cpus: 2, memory: 512 MiB}}\n"                            // 3
    "machine: m\n";                                                          // 4

const std::string kRemedies =
    "remedies:\n"                                    // 5
    "  pie:\n"                                       // 6
    "    cures: compilers of today\n"                // 7
    "    symptom: 'PIC mode$'\n"                     // 8
    "    upstream: 8ae94224c9d7\n"                   // 9
    "    when:\n"                                    // 10
    "      - {file: Makefile, lacks: -fno-pie}\n"    // 11
    "      - {exists: Kbuild}\n"                     // 12
    "    flags: {CC: [-fno-pie], KAFLAGS: [-Wa]}\n"  // 13
    "    make: ['pound=#']\n"                        // 14
    "    config: {ACPI: n}\n"                        // 15
    "    boot-args: [quiet]\n"                       // 16
    "    patches: [patches/a.patch]\n"               // 17
    "toolchains:\n"                                  // 18
    "  - name: old\n"                                // 19
    "    cc: gcc-10\n"                               // 20
    "    path: /opt/bin\n"                           // 21
    "    era: before 4.2\n"                          // 22
    "    when: [{contains-not: cb984d101b30}]\n";    // 23

std::string with(std::string_view from, std::string_view to) {
  return test::replaced(kStart + kRemedies, from, to);
}

TEST(Remedies, AreReadWithEveryField) {
  const auto recipe = parse_recipe(kStart + kRemedies, "k.yaml");
  ASSERT_TRUE(recipe) << recipe.error().message;
  using Kind = TreeQuestion::Kind;
  Remedy pie;
  pie.name = "pie";
  pie.cures = "compilers of today";
  pie.symptom = "PIC mode$";
  pie.upstream = "8ae94224c9d7";
  pie.when = {{Kind::lacks, "Makefile", "-fno-pie", ""}, {Kind::exists, "Kbuild", "", ""}};
  pie.flags = {{"CC", {"-fno-pie"}}, {"KAFLAGS", {"-Wa"}}};
  pie.make_variables = {"pound=#"};
  pie.config = {{"ACPI", "n"}};
  pie.boot_args = {"quiet"};
  pie.patches = {"patches/a.patch"};
  EXPECT_EQ(recipe->remedies, std::vector<Remedy>{pie});
  ASSERT_EQ(recipe->toolchains.size(), 1u);
  const auto& old = recipe->toolchains[0];
  EXPECT_EQ(old.name, "old");
  EXPECT_EQ(old.cc, "gcc-10");
  EXPECT_EQ(old.path, "/opt/bin");
  EXPECT_EQ(old.era, "before 4.2");
  EXPECT_EQ(old.when, (std::vector<TreeQuestion>{{Kind::contains_not, "", "", "cb984d101b30"}}));
}

TEST(Remedies, MustsThatOldTreesHaveBuiltIn) {
  const auto recipe = parse_recipe(kStart, "k.yaml");
  ASSERT_TRUE(recipe) << recipe.error().message;
  EXPECT_EQ(recipe->config,
            (std::vector<ConfigLine>{{"SMP", "y", true, false}, {"TTY", "y", true, true}}));
}

struct Wrong {
  std::string from, to, message;
};

TEST(Remedies, FaultsAreNamedWithTheirPlace) {
  const Wrong cases[] = {
      {"where-known: [TTY]", "where-known: [PCI]",
       "k.yaml:1:61: PCI is no `must` of this or an earlier group"},
      {"upstream: 8ae94224c9d7", "upstream: v4.9",
       "k.yaml:9:15: a commit is written as its object name, at least 12 hexadecimal digits"},
      {"cures: ", "cure: ", "k.yaml:7:5: unknown key 'cure'; did you mean 'cures'?"},
      {"'PIC mode$'", "'PIC (mode'",
       "k.yaml:8:14: no regular expression (ECMAScript): Mismatched '(' and ')' in regular "
       "expression"},
      {"lacks: -fno-pie", "lacks: -fno-pie, has: x",
       "k.yaml:11:9: one question an item: exists, absent, contains, contains-not, or file with "
       "has "
       "or lacks"},
      {"{file: Makefile, lacks: -fno-pie}", "{file: Makefile}",
       "k.yaml:11:9: this needs a `file`, or is no question of its own"},
      {"{exists: Kbuild}", "{exists: ../Kbuild}",
       "k.yaml:12:18: a file is named from the top of the kernel tree"},
      {"{exists: Kbuild}", "{since: 3.9}",
       "k.yaml:12:10: unknown key 'since'; one of: exists, absent, file, has, lacks, contains, "
       "contains-not"},
      {"KAFLAGS: [-Wa]", "KAFLAG: [-Wa]",
       "k.yaml:13:29: flags cannot be added to 'KAFLAG'; did you mean 'KAFLAGS'?"},
      {"[-Wa]", "['-I{remedy}']", "k.yaml:13:39: only {remedies} and {make-cmd} are replaced here"},
      {"[-Wa]", "['-a -b']", "k.yaml:13:39: one flag an item, without spaces; split it"},
      {"'pound=#'", "'KAFLAGS=-x'",
       "k.yaml:14:12: write it below `flags`, where remedies can share it"},
      {"'pound=#'", "'a=1', 'a=2'", "k.yaml:14:19: another remedy sets a already; join the two"},
      {"[patches/a.patch]", "[/etc/passwd]",
       "k.yaml:17:15: a patch is named from the directory of remedies"},
      {"    era: before 4.2\n", "", "k.yaml:19:5: the key 'era' is missing here; add it"},
  };
  for (const auto& wrong : cases)
    EXPECT_EQ(recipe_message(with(wrong.from, wrong.to)), wrong.message) << wrong.to;
  EXPECT_EQ(recipe_message(kStart + "remedies:\n  a:\n    cures: x\n    when: [{exists: a}]\n"),
            "k.yaml:7:5: it does nothing; give it flags, make, config, boot-args or patches");
  EXPECT_EQ(recipe_message(kStart + "remedies:\n  a: {cures: x, when: [], config: {A: y}}\n"),
            "k.yaml:6:23: no question; what every tree needs stands elsewhere");
}

}  // namespace
}  // namespace bisect_run::config
