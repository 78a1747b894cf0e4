#pragma once

#include <cstdint>

namespace bisect_run::wire {

/// Where chunk `i` of `parts` begins in an interval of `n` items: floor(i * n / parts), without
/// overflow, for 0 <= i <= parts. The agent splits by it, and the host knows by it what is due.
constexpr std::int64_t chunk_boundary(std::int64_t i, std::int64_t n, std::int64_t parts) {
  return i * (n / parts) + i * (n % parts) / parts;
}

}  // namespace bisect_run::wire
