#include "cli/host_choice.h"

#include <gtest/gtest.h>

namespace bisect_run::cli {
namespace {

TEST(HostChoice, WhatIsSaidAnewGoesOnTopOfWhatTheRunWasAskedFor) {
  const HostChoice begun{"never", "3GB", "qemu:///system"};
  EXPECT_EQ(host_choice({}, begun), begun);
  EXPECT_EQ(host_choice({}), HostChoice{});
  Arguments arguments;
  arguments.isolate_builds = "always";
  EXPECT_EQ(host_choice(arguments, begun), (HostChoice{"always", "3GB", "qemu:///system"}));
  arguments.cache_size = "5GB";
  arguments.connect = "qemu:///embed";
  EXPECT_EQ(host_choice(arguments, begun), (HostChoice{"always", "5GB", "qemu:///embed"}));
}

TEST(HostChoice, WhatIsLeftOutStaysTheRecipes) {
  Recipe recipe;
  recipe.isolate_builds = Isolate::always;
  recipe.cache_bytes = 7;
  ASSERT_TRUE(apply(HostChoice{}, recipe));
  EXPECT_EQ(recipe.isolate_builds, Isolate::always);
  EXPECT_EQ(recipe.cache_bytes, 7U);
  ASSERT_TRUE(apply(HostChoice{"never", "3GB", ""}, recipe));
  EXPECT_EQ(recipe.isolate_builds, Isolate::never);
  EXPECT_EQ(recipe.cache_bytes, 3'000'000'000U);
}

TEST(HostChoice, WordsThatMeanNothingAreRefused) {
  for (const HostChoice& choice : {HostChoice{"sometimes", "", ""}, HostChoice{"", "much", ""}}) {
    Recipe recipe;
    const auto applied = apply(choice, recipe);
    ASSERT_FALSE(applied);
    EXPECT_EQ(applied.error().kind, ErrorKind::usage);
  }
}

}  // namespace
}  // namespace bisect_run::cli
