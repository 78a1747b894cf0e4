#pragma once

#include <string>
#include <string_view>

namespace bisect_run::kernel {

inline constexpr std::string_view kReadOnlyDisk = "the disk is read-only";

/// Why a line of a failed build's output shows that the machine failed and not the tree (full
/// disk, killed compiler, missing program), with the way out; empty for any other line.
std::string host_trouble_in(std::string_view text);

}  // namespace bisect_run::kernel
