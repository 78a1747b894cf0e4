#include "kernel/fragment.h"

#include <gtest/gtest.h>

namespace bisect_run::kernel {
namespace {

TEST(Fragment, LaterLinesWinAndMustsStay) {
  const auto merged = merge({{"SMP", "y", true}, {"HZ_250", "y", false}},
                            {{"SMP", "n", false}, {"HZ_1000", "y", true}});
  EXPECT_EQ(merged, (std::vector<ConfigLine>{
                        {"SMP", "n", true}, {"HZ_250", "y", false}, {"HZ_1000", "y", true}}));
}

TEST(Fragment, WritesWhatKconfigReads) {
  EXPECT_EQ(fragment_text({{"SMP", "y"}, {"PCI", "n"}, {"NR_CPUS", "8"}, {"LOCALVERSION", "\"\""}}),
            "CONFIG_SMP=y\n# CONFIG_PCI is not set\nCONFIG_NR_CPUS=8\nCONFIG_LOCALVERSION=\"\"\n");
}

TEST(Fragment, RefusesLinesThatWouldBecomeOthers) {
  EXPECT_TRUE(check({"NET_NS", "y"}));
  for (const auto& line :
       {ConfigLine{"", "y"}, ConfigLine{"CONFIG_SMP", "y"}, ConfigLine{"A B", "y"},
        ConfigLine{"SMP", ""}, ConfigLine{"SMP", "y\nCONFIG_PCI=y"}}) {
    const auto verdict = check(line);
    ASSERT_FALSE(verdict) << line.symbol;
    EXPECT_EQ(verdict.error().kind, ErrorKind::usage);
  }
}

}  // namespace
}  // namespace bisect_run::kernel
