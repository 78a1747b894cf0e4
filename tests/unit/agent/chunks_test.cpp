#include "chunks.h"

#include <gtest/gtest.h>

namespace bisect_run::agent {
namespace {

wire::Loop with_marks(std::vector<std::int64_t> marks) {
  return {.metric = "m", .marks = std::move(marks), .count = 0, .each = {}};
}

TEST(ChunksTest, SplitsAsByHand) {
  // 10 items in 3: floor(10/3) = 3, floor(20/3) = 6, 10; then 2 items in 2, not 3.
  const std::vector<std::vector<Chunk>> expected = {
      {{.mark = 10, .number = 0, .first = 0, .end = 3},
       {.mark = 10, .number = 1, .first = 3, .end = 6},
       {.mark = 10, .number = 2, .first = 6, .end = 10}},
      {{.mark = 12, .number = 0, .first = 10, .end = 11},
       {.mark = 12, .number = 1, .first = 11, .end = 12}}};
  EXPECT_EQ(intervals_of(with_marks({10, 12}), 3), expected);
}

TEST(ChunksTest, WithoutMarksOneSampleOfAll) {
  const wire::Loop loop{.metric = "m", .marks = {}, .count = 100, .each = {}};
  EXPECT_EQ(intervals_of(loop, 9),
            (std::vector<std::vector<Chunk>>{{{.mark = 0, .number = 0, .first = 0, .end = 100}}}));
}

// Every item once, in order; sizes within an interval differ by at most one.
TEST(ChunksTest, CoversEveryItemOnce) {
  for (std::int64_t a = 1; a < 40; ++a)
    for (std::int64_t b = a + 1; b < 60; b += 7)
      for (const int chunks : {1, 2, 9, 100}) {
        std::int64_t next = 0;
        for (const auto& interval : intervals_of(with_marks({a, b}), chunks)) {
          std::int64_t least = INT64_MAX, most = 0;
          for (const Chunk& chunk : interval) {
            ASSERT_EQ(chunk.first, next);
            next = chunk.end;
            least = std::min(least, chunk.end - chunk.first);
            most = std::max(most, chunk.end - chunk.first);
          }
          ASSERT_EQ(next, interval.front().mark);
          ASSERT_GE(least, 1);
          ASSERT_LE(most - least, 1);
        }
        ASSERT_EQ(next, b);
      }
}

TEST(ChunksTest, HugeMarksDoNotOverflow) {
  const auto intervals = intervals_of(with_marks({1'000'000'000'000}), 10'000);
  EXPECT_EQ(intervals[0].back().end, 1'000'000'000'000);
  EXPECT_EQ(intervals[0][9'999].first, 999'900'000'000);
}

}  // namespace
}  // namespace bisect_run::agent
