#include "wire/digest.h"

#include <gtest/gtest.h>

namespace bisect_run::wire {
namespace {

// Published test vector of XXH3-128 (seed 0) for no bytes; `xxh128sum /dev/null` prints the same.
TEST(DigestTest, OfNothingIsThePublishedValue) {
  EXPECT_EQ(digest_of(""), "99aa06d3014798d86001c324468d497f");
}

TEST(DigestTest, PiecesAreFramed) {
  const auto of = [](std::string_view a, std::string_view b) {
    return Digest().add(a).add(b).hex();
  };
  EXPECT_EQ(of("ab", "c"), of("ab", "c"));
  EXPECT_NE(of("ab", "c"), of("a", "bc"));
  EXPECT_NE(of("", "abc"), of("abc", ""));
}

TEST(DigestTest, NumbersAndTextAreToldApart) {
  EXPECT_NE(Digest().add(std::int64_t{0}).hex(),
            Digest().add(std::string_view("\0\0\0\0\0\0\0\0", 8)).hex());
  EXPECT_NE(Digest().add(std::int64_t{1}).hex(), Digest().add(std::int64_t{-1}).hex());
  EXPECT_NE(Digest().add("5").hex(), Digest().add(std::int64_t{5}).hex());
}

TEST(DigestTest, HexMayBeReadInTheMiddle) {
  Digest digest;
  digest.add("a");
  const std::string first = digest.hex();
  EXPECT_EQ(first.size(), 32U);
  EXPECT_EQ(first.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(digest.hex(), first);
  EXPECT_NE(digest.add("b").hex(), first);
}

}  // namespace
}  // namespace bisect_run::wire
