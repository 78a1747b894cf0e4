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

}  // namespace
}  // namespace bisect_run::kernel
