#pragma once

#include <cstddef>
#include <cstdint>

// What a message may hold at most. Both sides check: the host because the guest is hostile, the
// agent because a wrong number would cost a boot.

namespace bisect_run::wire {

inline constexpr int kMaxNesting = 12;           ///< of JSON arrays and objects in one line
inline constexpr std::size_t kMaxText = 4096;    ///< bytes of a text field, unless named below
inline constexpr std::size_t kMaxName = 128;     ///< bytes of a metric, operation or parameter name
inline constexpr std::size_t kMaxReason = 1024;  ///< bytes of Failed::reason
inline constexpr std::size_t kMaxSteps = 64;     ///< in one list of steps
inline constexpr std::size_t kMaxLoops = 256;    ///< in one workload
inline constexpr std::size_t kMaxMarks = 1024;   ///< of one loop
inline constexpr std::size_t kMaxParameters = 32;
inline constexpr std::int64_t kMaxId = 1'000'000'000;
inline constexpr std::int64_t kMaxItems = 1'000'000'000'000;
inline constexpr std::int64_t kMaxChunks = 10'000;
inline constexpr std::int64_t kMaxRepetitions = 10'000;
inline constexpr std::int64_t kMaxCpus = 65'536;
/// Eleven days in nanoseconds: longer than any measurement.
inline constexpr std::int64_t kMaxDuration_ns = 1'000'000'000'000'000;
inline constexpr std::int64_t kMaxCount = INT64_MAX;

/// The largest vlan id, of twelve bits; 4095 is reserved (IEEE 802.1Q).
inline constexpr std::int64_t kLastVlanId = 4094;

}  // namespace bisect_run::wire
