#include "kernel/own_config.h"

#include <gtest/gtest.h>

#include "kernel/fragment.h"
#include "kernel/ledger.h"

namespace bisect_run::kernel {
namespace {

TEST(OwnConfig, ReadsWhatKconfigWrites) {
  const auto lines = parse_own_config(
      "#\n# Automatically generated file; DO NOT EDIT.\n#\nCONFIG_CC_VERSION_TEXT=\"gcc 9\"\n"
      "CONFIG_CC_OPTIMIZE_FOR_SIZE=y\nCONFIG_SMP=y\r\n# CONFIG_PCI is not set\nCONFIG_VETH=m\n"
      "CONFIG_LOCALVERSION=\"a=b\"\n\n# Networking\nCONFIG_NR_CPUS=64",
      "c");
  ASSERT_TRUE(lines) << lines.error().message;
  EXPECT_EQ(fragment_text(*lines),
            "CONFIG_CC_OPTIMIZE_FOR_SIZE=y\nCONFIG_SMP=y\n# CONFIG_PCI is not set\nCONFIG_VETH=m\n"
            "CONFIG_LOCALVERSION=\"a=b\"\nCONFIG_NR_CPUS=64\n");
  for (const auto& line : *lines) EXPECT_TRUE(line.own && !line.must) << line.symbol;
}

TEST(OwnConfig, RefusesWhatIsNone) {
  for (const auto* text : {"", "SMP=y\n", "\x1f\x8b\x08", "CONFIG_A B=y\n", "CONFIG_A=\n"}) {
    const auto lines = parse_own_config(text, "my.config");
    ASSERT_FALSE(lines) << text;
    EXPECT_EQ(lines.error().kind, ErrorKind::usage);
    EXPECT_NE(lines.error().message.find("my.config"), std::string::npos);
  }
  EXPECT_EQ(read_own_config("/nowhere/at/all").error().kind, ErrorKind::usage);
}

Recipe recipe() {
  Recipe made;
  made.config = {{"SMP", "y", true}, {"HZ_250", "y"}, {"RCU_LAZY", "n", false, false, true}};
  return made;
}

TEST(OwnConfig, TakesThePlaceOfWantsBelowMustsAndPins) {
  auto with = recipe();
  EXPECT_EQ(asked_lines(with, {}), with.config);
  with.own_config = {{"SMP", "n", false, false, false, true},
                     {"HZ_1000", "y", false, false, false, true},
                     {"RCU_LAZY", "y", false, false, false, true}};
  EXPECT_EQ(asked_lines(with, {}),
            (std::vector<ConfigLine>{{"HZ_1000", "y", false, false, false, true},
                                     {"SMP", "y", true},
                                     {"RCU_LAZY", "n", false, false, true}}));
}

// Of two lines of one choice Kconfig takes the later: theirs for ALL must not come behind ours.
TEST(OwnConfig, LosesAChoiceToTheVariant) {
  Recipe with;
  with.own_config = {{"RCU_NOCB_CPU_NONE", "n", false, false, false, true},
                     {"RCU_NOCB_CPU_ALL", "y", false, false, false, true}};
  EXPECT_EQ(asked_lines(with, {{"RCU_NOCB_CPU_NONE", "y", true}}),
            (std::vector<ConfigLine>{{"RCU_NOCB_CPU_ALL", "y", false, false, false, true},
                                     {"RCU_NOCB_CPU_NONE", "y", true}}));
}

// Thousands of lines that came out as asked would bury those that did not.
TEST(OwnConfig, TheLedgerHoldsWhatWasLost) {
  const auto ledger = settle({{"SMP", "y", true},
                              {"A", "y", false, false, false, true},
                              {"B", "m", false, false, false, true}},
                             "CONFIG_SMP=y\nCONFIG_A=y\n", [](std::string_view) { return true; });
  ASSERT_EQ(ledger.size(), 2U);
  EXPECT_EQ(ledger[0].symbol, "SMP");
  EXPECT_EQ(ledger[1].symbol, "B");
  EXPECT_EQ(ledger[1].fate, LedgerFate::unmet);
}

TEST(OwnConfig, SaysWhatWasLost) {
  const std::vector<ConfigLine> own{{"A", "y"}, {"B", "m"}, {"C", "y"}};
  EXPECT_EQ(lost_own_lines(own, {{"SMP", "y", "y", LedgerFate::kept, true}}), "");
  EXPECT_EQ(
      lost_own_lines(own, {{"A", "y", "n", LedgerFate::unknown_symbol},
                           {"B", "m", "n", LedgerFate::unmet},
                           {"WANTED", "y", "n", LedgerFate::unmet}}),
      "2 of the 3 lines of your .config were not kept: A=y (not in this tree), B=m (became n)");
}

}  // namespace
}  // namespace bisect_run::kernel
