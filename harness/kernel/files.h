#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "model/error.h"

namespace bisect_run::kernel {

/// The whole file. Error: infra, naming the file.
Result<std::string> read_file(const std::filesystem::path& file);

/// Writes beside and renames over, so that a reader sees the old text or the new one. `durable`
/// also waits until it is on the disk. Error: infra.
Status write_file(const std::filesystem::path& file, std::string_view text, bool durable = false);

/// `PID-N`: in the name of something unfinished, so that no other process or thread writes to it.
std::string own_suffix();

Status make_directories(const std::filesystem::path& directory);

/// Flushes a directory's own entries to the disk.
Status sync_directory(const std::filesystem::path& directory);

/// An infra error for a failed system call on `file`, with errno in words and, for a full disk,
/// what to do.
std::unexpected<Error> system_failure(std::string_view what, const std::filesystem::path& file,
                                      int error);

/// Bytes that an ordinary user may still write on the file system of `place` (an existing
/// directory). Error: infra.
Result<std::uint64_t> free_bytes(const std::filesystem::path& place);

/// `1.5 GiB`, `200 MiB`.
std::string human_size(std::uint64_t bytes);

}  // namespace bisect_run::kernel
