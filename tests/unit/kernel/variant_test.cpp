#include "kernel/variant.h"

#include <gtest/gtest.h>

#include <set>

namespace bisect_run::kernel {
namespace {

// The rows of kernel-facts.md, section 5, for `zero`.
VariantRule zero() {
  VariantCase choice{{"RCU_NOCB_CPU", "RCU_NOCB_CPU_ZERO"}, {}, "",
                     {{"RCU_NOCB_CPU_ZERO", "y"}},          {}, "0"};
  VariantCase argument{
      {"RCU_NOCB_CPU"}, {"RCU_NOCB_CPU_ZERO", "EXPERIMENTAL"}, "", {}, {"rcu_nocbs=0"}, "0"};
  VariantCase never{{"RCU_NOCB_CPU"}, {}, "CPU 0 cannot be offloaded", {}, {}, "none"};
  return {"zero", "", {choice, argument, never}};
}

Result<VariantCase> choose(std::set<std::string, std::less<>> declared) {
  return choose_case(zero(),
                     [declared](std::string_view symbol) { return declared.contains(symbol); });
}

TEST(Variant, C12IsChosenByWhatTheTreeDeclares) {
  EXPECT_EQ(choose({"RCU_NOCB_CPU", "RCU_NOCB_CPU_ZERO", "EXPERIMENTAL"})->config.size(), 1U);
  EXPECT_EQ(choose({"RCU_NOCB_CPU"})->boot_args, (std::vector<std::string>{"rcu_nocbs=0"}));
}

TEST(Variant, ImpossibleOrUnknownIsASkipWithTheReason) {
  const auto impossible = choose({"RCU_NOCB_CPU", "EXPERIMENTAL"});
  ASSERT_FALSE(impossible);
  EXPECT_EQ(impossible.error().kind, ErrorKind::skip_build);
  EXPECT_NE(impossible.error().message.find("CPU 0 cannot be offloaded"), std::string::npos);
  const auto none = choose({});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, ErrorKind::skip_build);
  EXPECT_NE(none.error().message.find("zero"), std::string::npos);
}

// Several axes: HZ beside offloading.
TEST(Variant, AxesAreMadeTogether) {
  VariantCase all{{"RCU_NOCB_CPU"},  {},   "", {{"RCU_NOCB_CPU", "y", true}},
                  {"rcu_nocbs=0-1"}, "all"};
  VariantCase fast{{}, {}, "", {{"HZ_1000", "y", true}}, {"hz"}, "none"};
  all.flags = {{"KCFLAGS", {"-g0"}}};
  fast.flags = {{"KCFLAGS", {"-falign-functions=64"}}, {"KAFLAGS", {"-Wa"}}};
  VariantCase never{{}, {}, "no such thing", {}, {}, "none"};
  Recipe recipe;
  recipe.variants = {{"all", "", {all}}, {"hz1000", "", {fast}, "hz"}, {"x", "", {never}, "x"}};
  const auto yes = [](std::string_view) { return true; };
  const auto made = choose_cases(recipe, "hz1000,all", yes);
  ASSERT_TRUE(made) << made.error().message;
  ASSERT_EQ(made->config.size(), 2U);
  EXPECT_EQ(made->config[0].symbol, "RCU_NOCB_CPU");
  EXPECT_EQ(made->config[1].symbol, "HZ_1000");
  EXPECT_EQ(made->boot_args, (std::vector<std::string>{"rcu_nocbs=0-1", "hz"}));
  EXPECT_EQ(made->flags.at("KCFLAGS"), (std::vector<std::string>{"-g0", "-falign-functions=64"}));
  EXPECT_EQ(made->flags.at("KAFLAGS"), std::vector<std::string>{"-Wa"});
  EXPECT_EQ(made->offload, "all");
  EXPECT_EQ(choose_cases(recipe, "hz1000", yes)->offload, "none");
  EXPECT_EQ(choose_cases(recipe, "all,x", yes).error().kind, ErrorKind::skip_build);
  EXPECT_EQ(choose_cases(recipe, "all,y", yes).error().kind, ErrorKind::usage);
}

}  // namespace
}  // namespace bisect_run::kernel
