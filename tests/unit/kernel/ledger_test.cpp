#include "kernel/ledger.h"

#include <gtest/gtest.h>

namespace bisect_run::kernel {
namespace {

constexpr std::string_view kConfig =
    "#\n# Linux/x86 6.1.0\n#\nCONFIG_SMP=y\n# CONFIG_PCI is not set\nCONFIG_NR_CPUS=64\n"
    "CONFIG_CC_VERSION_TEXT=\"gcc = 12\"\n";

bool declared(std::string_view symbol) {
  return symbol != "UNKNOWN" && symbol != "GONE";
}

TEST(Ledger, ParsesEveryKindOfValue) {
  const auto values = parse_config(kConfig);
  EXPECT_EQ(values.size(), 3U);
  EXPECT_EQ(values.at("NR_CPUS"), "64");
  EXPECT_EQ(values.at("CC_VERSION_TEXT"), "\"gcc = 12\"");
  EXPECT_TRUE(parse_config("").empty());
  EXPECT_EQ(parse_config("CONFIG_A=y").at("A"), "y");  // no end of line
}

TEST(Ledger, C11NamesTheFateOfEachLine) {
  const auto ledger = settle({{"SMP", "y", true},
                              {"PCI", "y"},
                              {"PCI", "n"},
                              {"NR_CPUS", "8"},
                              {"UNKNOWN", "y"},
                              {"GONE", "n"}},
                             kConfig, declared);
  const auto is = [&](std::size_t i, std::string_view got, LedgerFate fate) {
    EXPECT_EQ(ledger[i].got, got) << i;
    EXPECT_EQ(ledger[i].fate, fate) << i;
  };
  ASSERT_EQ(ledger.size(), 6U);
  is(0, "y", LedgerFate::kept);
  is(1, "n", LedgerFate::unmet);
  is(2, "n", LedgerFate::kept);
  is(3, "64", LedgerFate::unmet);
  is(4, "n", LedgerFate::unknown_symbol);
  is(5, "n", LedgerFate::kept);  // not wanted, and not there
  EXPECT_TRUE(ledger[0].must);
  EXPECT_TRUE(check_musts(ledger));
}

TEST(Ledger, AMissingMustIsASkipThatNamesAllOfThem) {
  const auto verdict = check_musts(
      settle({{"PCI", "y", true}, {"UNKNOWN", "y", true}, {"NR_CPUS", "8"}}, kConfig, declared));
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.error().kind, ErrorKind::skip_build);
  EXPECT_NE(verdict.error().message.find("CONFIG_PCI=y became n (a dependency"), std::string::npos);
  EXPECT_NE(verdict.error().message.find("CONFIG_UNKNOWN=y became n (no Kconfig"),
            std::string::npos);
  EXPECT_EQ(verdict.error().message.find("NR_CPUS"), std::string::npos);
}

}  // namespace
}  // namespace bisect_run::kernel
