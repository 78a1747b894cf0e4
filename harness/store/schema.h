#pragma once

#include <cstdint>
#include <span>

namespace bisect_run::store {

/// In the header of every file of ours: "bRun".
inline constexpr std::uint32_t kApplicationId = 0x6252756e;

/// The steps that lead from an empty file to today's schema; step i makes user_version i+1. A step
/// that has been released is never changed: the next change is a new step.
std::span<const char* const> migrations();

}  // namespace bisect_run::store
