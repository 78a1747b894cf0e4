#include "kernel/derivation.h"

#include <gtest/gtest.h>

#include "support/temp_dir.h"

namespace bisect_run::kernel {
namespace {

Words derived_from(const std::string& kbuild_include) {
  const test::TempDir tree;
  test::write_file(tree / "scripts/Kbuild.include", kbuild_include);
  return derive_words(tree.path());
}

// The three forms, as of 2.6.39, 3.9 to 3.16, and 3.17.
TEST(Derivation, KeepsTheFormOfEachTreesMakeCmd) {
  EXPECT_EQ(derived_from("make-cmd = $(subst \\#,\\\\\\#,$(subst $$,$$$$,$(call escsq,$(x))))\n")
                .at("make-cmd"),
            "$(subst $(pound),$$(pound),$(subst $$,$$$$,$(call escsq,$(x))))");
  EXPECT_EQ(
      derived_from("make-cmd = $(subst \\\\,\\\\\\\\,$(subst \\#,\\\\\\#,$(subst $$,$$$$,$(call "
                   "escsq,$(x)))))\n")
          .at("make-cmd"),
      "$(subst \\\\,\\\\\\\\,$(subst $(pound),$$(pound),$(subst $$,$$$$,$(call escsq,$(x)))))");
  EXPECT_EQ(derived_from("make-cmd = $(call escsq,$(subst \\#,\\\\\\#,$(subst $$,$$$$,$(x))))\n")
                .at("make-cmd"),
            "$(call escsq,$(subst $(pound),$$(pound),$(subst $$,$$$$,$(x))))");
}

TEST(Derivation, GivesNothingWhereTheTreeIsOtherwise) {
  EXPECT_TRUE(derived_from("make-cmd = $(call escsq,$(subst $(pound),$$(pound),$(x)))\n").empty());
  EXPECT_TRUE(derived_from("squote := '\n").empty());
  EXPECT_TRUE(derive_words("/nonexistent").empty());
}

TEST(Derivation, FillsBracesOfItsOwnOnly) {
  EXPECT_EQ(with_derived("a={make-cmd}", {{"make-cmd", "b"}}).value(), "a=b");
  EXPECT_EQ(with_derived("a={remedies}", {}).value(), "a={remedies}");
  const auto lacking = with_derived("a={make-cmd}", {});
  ASSERT_FALSE(lacking);
  EXPECT_EQ(lacking.error().kind, ErrorKind::skip_build);
}

}  // namespace
}  // namespace bisect_run::kernel
