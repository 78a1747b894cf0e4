#include "store/run_id.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>

namespace bisect_run::store {
namespace {

TEST(RunId, IsItsTimeInUtcAndFourLetters) {
  // 1796048103 is 2026-11-30 14:15:03 UTC (date -u -d @1796048103).
  const auto id = make_run_id(1796048103);
  EXPECT_TRUE(std::regex_match(id, std::regex("20261130-141503-[0-9a-z]{4}"))) << id;
}

TEST(RunId, DiffersWithinASecond) {
  std::set<std::string> ids;
  for (int i = 0; i < 100; ++i) ids.insert(make_run_id(1796048103));
  EXPECT_GT(ids.size(), 95u);
}

}  // namespace
}  // namespace bisect_run::store
