#include "gunzip.h"

#include <gtest/gtest.h>

namespace bisect_run::agent {
namespace {

// printf 'CONFIG_NET_NS=y\n' | gzip -n
const std::string kPacked(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x73\xf6\xf7\x73\xf3\x74\x8f\xf7\x73\x0d\x89\xf7\x0b"
    "\xb6\xad\xe4\x02\x00\xee\x79\x1d\xa9\x10\x00\x00\x00",
    36);

TEST(GunzipTest, UnpacksWhatGzipPacked) {
  EXPECT_EQ(gunzip(kPacked), "CONFIG_NET_NS=y\n");
}

TEST(GunzipTest, CutOrForeignBytesAreEmpty) {
  for (std::size_t cut = 0; cut < kPacked.size(); ++cut)
    EXPECT_EQ(gunzip(std::string_view(kPacked).substr(0, cut)), "") << cut;
  EXPECT_EQ(gunzip("CONFIG_NET_NS=y\n"), "");
  std::string wrong_sum = kPacked;
  wrong_sum[30] = static_cast<char>(wrong_sum[30] ^ 1);
  EXPECT_EQ(gunzip(wrong_sum), "");
}

}  // namespace
}  // namespace bisect_run::agent
