#include "cli/quantities.h"

#include <gtest/gtest.h>

namespace bisect_run::cli {
namespace {

TEST(Quantities, TimesHaveUnits) {
  EXPECT_EQ(seconds_from("90s"), 90);
  EXPECT_EQ(seconds_from("45m"), 2700);
  EXPECT_EQ(seconds_from("6h"), 21600);
  EXPECT_EQ(seconds_from("1h30m"), 5400);
  EXPECT_EQ(seconds_from("1.5h"), 5400);
  EXPECT_EQ(seconds_from("2d"), 172800);
  for (const auto* wrong : {"", "6", "h", "6x", "-1h", "0s", "1h-5m", "1e9h", "nan", "6 h", "400d"})
    EXPECT_FALSE(seconds_from(wrong)) << wrong;
  EXPECT_NE(seconds_from("6").error().message.find("6h"), std::string::npos);
}

TEST(Quantities, SharesLieBetweenNothingAndAll) {
  EXPECT_EQ(share_from("5%"), 0.05);
  EXPECT_EQ(share_from("0.05"), 0.05);
  EXPECT_DOUBLE_EQ(share_from("99.9%").value(), 0.999);
  for (const auto* wrong : {"", "0", "1", "100%", "-5%", "5 %", "inf", "nan", "5%%", "x"})
    EXPECT_FALSE(share_from(wrong)) << wrong;
}

}  // namespace
}  // namespace bisect_run::cli
