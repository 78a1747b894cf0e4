#include "config/size.h"

#include <gtest/gtest.h>

#include "config/recipe.h"

namespace bisect_run::config {
namespace {

TEST(Size, KnowsBothKindsOfUnits) {
  EXPECT_EQ(parse_size("20 GB").value(), 20'000'000'000U);
  EXPECT_EQ(parse_size("20GB").value(), 20'000'000'000U);
  EXPECT_EQ(parse_size("1.5 GiB").value(), 1'610'612'736U);
  EXPECT_EQ(parse_size("2000 MB").value(), 2'000'000'000U);
  EXPECT_EQ(parse_size("1 TiB").value(), 1'099'511'627'776U);
}

TEST(Size, SaysWhatWouldBeRight) {
  for (const char* wrong : {"", "20", "GB", "20 gb", "20 GB!", "-5 GB", "nan GB", "20 G", "1 MB"}) {
    const auto size = parse_size(wrong);
    ASSERT_FALSE(size) << wrong;
    EXPECT_EQ(size.error().kind, ErrorKind::usage);
    EXPECT_NE(size.error().message.find("GB"), std::string::npos) << size.error().message;
  }
}

TEST(Size, OfTheCachesStandsInTheRecipe) {
  const std::string recipe =
      "config: []\nvariants: {off: {summary: s, cases: [{offload: none}]}}\n"
      "machines: {small: {}}\nmachine: small\n";
  EXPECT_EQ(parse_recipe(recipe, "k.yaml")->cache_bytes, 20'000'000'000U);
  EXPECT_EQ(parse_recipe(recipe + "cache: {size: 5 GB}\n", "k.yaml")->cache_bytes, 5'000'000'000U);
  const auto wrong = parse_recipe(recipe + "cache: {size: five}\n", "k.yaml");
  ASSERT_FALSE(wrong);
  EXPECT_TRUE(wrong.error().message.starts_with("k.yaml:5:15: 'five' is no size"))
      << wrong.error().message;
}

}  // namespace
}  // namespace bisect_run::config
