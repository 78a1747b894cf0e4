#include "report/numbers.h"

#include <limits>

#include <gtest/gtest.h>

#include "report/compare_table.h"

namespace bisect_run::report {
namespace {

TEST(Numbers, KeepWhatCanBeSeen) {
  EXPECT_EQ(value_text(742.1), "742.10");
  EXPECT_EQ(value_text(0.0), "0.00");
  EXPECT_EQ(value_text(0.999), "1.00");
  EXPECT_EQ(value_text(0.05), "0.0500");
  EXPECT_EQ(value_text(1234567.8), "1234568");
  EXPECT_EQ(value_text(std::optional<double>{}), "-");
  EXPECT_EQ(ratio_text(0.0503), "0.050");
  EXPECT_EQ(ratio_text(0.00503), "0.0050");
  EXPECT_EQ(ratio_text(1), "1.000");
  EXPECT_EQ(ratio_text(12.345), "12.35");
  EXPECT_EQ(ratio_text(1234.5), "1234");
  EXPECT_EQ(percent_text(-0.942), "-94.2 %");
  EXPECT_EQ(percent_text(0.05), "+5.0 %");
  EXPECT_EQ(grouped(121669943013), "121,669,943,013");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(-123), "-123");
  EXPECT_EQ(grouped(-1234), "-1,234");
  EXPECT_EQ(trimmed(1.06471, 6), "1.06471");
  EXPECT_EQ(trimmed(2.0, 6), "2");
  EXPECT_EQ(duration_text(59.4), "59 s");
  EXPECT_EQ(duration_text(725), "12 min 05 s");
  EXPECT_EQ(duration_text(11100), "3 h 05 min");
  EXPECT_EQ(duration_text(-1), "0 s");
}

TEST(Texts, AreSafeForATerminal) {
  EXPECT_EQ(printable("a\033[31mb\tc\x7f"), "a?[31mb?c?");
  EXPECT_EQ(printable("Andr\xc3\xa9"), "Andr\xc3\xa9");
  EXPECT_EQ(printable("Andr\xe9 x"), "Andr? x");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "??31m");
  EXPECT_EQ(printable("\xf0\x9f\x90"), "???");
}

TEST(Texts, AreCutAndFilledByCharacters) {
  EXPECT_EQ(cut("abcdef", 6), "abcdef");
  EXPECT_EQ(cut("abcdefg", 6), "abcde~");
  EXPECT_EQ(cut("\xc3\xa9\xc3\xa9\xc3\xa9", 2), "\xc3\xa9~");
  EXPECT_EQ(left("\xc3\xa9", 3), "\xc3\xa9  ");
  EXPECT_EQ(right("ab", 4), "  ab");
  EXPECT_EQ(wrapped("one two three", 2, 9), "one two\n  three");
  EXPECT_EQ(wrapped("overlongword x", 2, 6), "overlongword\n  x");
  EXPECT_EQ(wrapped("", 2), "");
}

TEST(Numbers, AChangeInBracketsHasEightCharactersAtMost) {
  EXPECT_EQ(bracketed_change(100, 8), " (-92%)");
  EXPECT_EQ(bracketed_change(100, 100), " (+0%)");
  EXPECT_EQ(bracketed_change(100, 999), " (+899%)");
  EXPECT_EQ(bracketed_change(100, 1000), " (x10)");
  EXPECT_EQ(bracketed_change(80.79, 1107404), " (x14k)");
  EXPECT_EQ(bracketed_change(1, 999.6), " (x1k)");
  EXPECT_EQ(bracketed_change(1, 2.5e6), " (x2M)");
  EXPECT_EQ(bracketed_change(1e-9, 1e9), " (x>999G)");
  EXPECT_EQ(bracketed_change(0, 1), "");
  EXPECT_EQ(bracketed_change(std::nullopt, 1), "");
  EXPECT_EQ(bracketed_change(1, std::nullopt), "");
}

TEST(Numbers, AChangeHasSevenCharactersAtMost) {
  EXPECT_EQ(change_text(-0.833), "-83.3%");
  EXPECT_EQ(change_text(0), "+0.0%");
  EXPECT_EQ(change_text(8.99), "+899.0%");
  EXPECT_EQ(change_text(9), "x10.0");
  EXPECT_EQ(change_text(13705.9), "x13707");
  EXPECT_EQ(change_text(1e7), ">x1e6");
  EXPECT_EQ(change_text(std::numeric_limits<double>::infinity()), "-");
}

}  // namespace
}  // namespace bisect_run::report
