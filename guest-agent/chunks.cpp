#include "chunks.h"

#include <algorithm>

#include "wire/chunk_boundary.h"

namespace bisect_run::agent {

std::vector<std::vector<Chunk>> intervals_of(const wire::Loop& loop, int chunks) {
  if (loop.marks.empty()) return {{Chunk{.first = 0, .end = loop.count}}};
  std::vector<std::vector<Chunk>> intervals;
  std::int64_t from = 0;
  for (const std::int64_t mark : loop.marks) {
    const std::int64_t n = mark - from, parts = std::min<std::int64_t>(chunks, n);
    std::vector<Chunk>& interval = intervals.emplace_back();
    for (std::int64_t i = 0; i < parts; ++i)
      interval.push_back({.mark = mark,
                          .number = static_cast<std::int32_t>(i),
                          .first = from + wire::chunk_boundary(i, n, parts),
                          .end = from + wire::chunk_boundary(i + 1, n, parts)});
    from = mark;
  }
  return intervals;
}

}  // namespace bisect_run::agent
