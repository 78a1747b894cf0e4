#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "model/error.h"

namespace bisect_run::kernel {

/// More than any vmlinux with its debug information.
inline constexpr std::uint64_t kMostOfAFile = std::uint64_t{2} << 30;

/// The whole file `name` below `top`, a directory that strangers have filled: a source tree, or
/// what a build left. Links that lead out of `top`, devices, pipes and files of more than `most`
/// bytes are not read. Errors: skip_build for those and where there is none, infra for a disk that
/// cannot be read.
Result<std::string> read_below(const std::filesystem::path& top, const std::filesystem::path& name,
                               std::uint64_t most = kMostOfAFile);

}  // namespace bisect_run::kernel
