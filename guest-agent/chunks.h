#pragma once

#include <cstdint>
#include <vector>

#include "wire/workload.h"

namespace bisect_run::agent {

/// Consecutive items that make one sample: from `first` up to, not including, `end`.
struct Chunk {
  std::int64_t mark = 0;  ///< 0 in a loop without marks
  std::int32_t number = 0;
  std::int64_t first = 0, end = 0;

  bool operator==(const Chunk&) const = default;
};

/// The intervals of a loop, in order, each split into `chunks` near-equal chunks (its i-th boundary
/// is floor(i*n/chunks)), or into one per item where it has fewer items. A loop without marks is
/// one interval of one chunk.
std::vector<std::vector<Chunk>> intervals_of(const wire::Loop& loop, int chunks);

}  // namespace bisect_run::agent
