#include "model/variant.h"

#include <gtest/gtest.h>

namespace bisect_run {
namespace {

Recipe recipe() {
  Recipe made;
  made.file = "k.yaml";
  for (const auto* name : {"none", "all"}) made.variants.push_back({.name = name});
  for (const auto* name : {"hz100", "hz1000"})
    made.variants.push_back({.name = name, .axis = "hz"});
  made.variants.push_back({.name = "full", .axis = "preempt"});
  return made;
}

using Texts = std::vector<std::string>;

TEST(Variant, EqualVariantsReadEqual) {
  EXPECT_EQ(canonical_variant(recipe(), "all"), "all");
  EXPECT_EQ(canonical_variant(recipe(), "full,hz100,all"), "all,hz100,full");
  EXPECT_EQ(canonical_variant(recipe(), "full"), "full");
}

TEST(Variant, AlongAnAxisThatItDoesNotName) {
  EXPECT_EQ(variants_along(recipe(), "all,full", "hz"),
            (Texts{"all,hz100,full", "all,hz1000,full"}));
  EXPECT_EQ(variants_along(recipe(), "all,hz100", "hz"), Texts{});
  EXPECT_EQ(variants_along(recipe(), "all", "nothing"), Texts{});
}

TEST(Variant, UnknownValuesAndTwoOfOneAxisAreRefused) {
  const auto unknown = canonical_variant(recipe(), "all,hz300");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, ErrorKind::usage);
  EXPECT_EQ(unknown.error().message,
            "there is no variant hz300 in k.yaml; there are none, all, hz100, hz1000, full");
  const auto two = canonical_variant(recipe(), "hz100,all,hz1000");
  ASSERT_FALSE(two);
  EXPECT_EQ(two.error().message,
            "hz100 and hz1000 exclude each other: both are values of the axis "
            "hz");
  EXPECT_FALSE(canonical_variant(recipe(), ""));
  EXPECT_FALSE(canonical_variant(recipe(), "all,"));
  EXPECT_FALSE(canonical_variant(recipe(), "all,all"));
}

TEST(Variant, OneAxisAlternatesSeveralCombine) {
  EXPECT_EQ(combined_variants(recipe(), {}), Texts{""});
  EXPECT_EQ(combined_variants(recipe(), {"all", "none"}), (Texts{"all", "none"}));
  EXPECT_EQ(combined_variants(recipe(), {"hz1000", "none", "all"}),
            (Texts{"none,hz1000", "all,hz1000"}));
  EXPECT_EQ(combined_variants(recipe(), {"none", "all", "hz100", "hz1000", "full"}),
            (Texts{"none,hz100,full", "none,hz1000,full", "all,hz100,full", "all,hz1000,full"}));
  EXPECT_EQ(combined_variants(recipe(), {"none", "none"}), Texts{"none"});
  EXPECT_FALSE(combined_variants(recipe(), {"none", "hz300"}));
}

TEST(Variant, WhatASpecSaysComesFirst) {
  EXPECT_EQ(variant_over(recipe(), "none", "all"), "all");
  EXPECT_EQ(variant_over(recipe(), "none,hz100", "hz1000"), "none,hz1000");
  EXPECT_EQ(variant_over(recipe(), "none", ""), "none");
  EXPECT_EQ(variant_over(recipe(), "", "full"), "full");
  EXPECT_EQ(variant_over(recipe(), "", ""), "");
}

TEST(Variant, AnEquivalentStandsForItsValueOnly) {
  auto with = recipe();
  with.variants[1].equivalent = "all-by-list";
  EXPECT_EQ(equivalent_variant(with, "all"), "all-by-list");
  EXPECT_EQ(equivalent_variant(with, "all,hz1000"), "all-by-list,hz1000");
  EXPECT_EQ(equivalent_variant(with, "none,hz1000"), "");
}

}  // namespace
}  // namespace bisect_run
