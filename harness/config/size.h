#pragma once

#include <cstdint>
#include <string_view>

#include "model/error.h"

namespace bisect_run::config {

/// Bytes of `20 GB`, `500 MB` (powers of ten) or `20 GiB`, `500 MiB` (powers of two); the blank may
/// be left out. From 1 GB to 100 TB. Error: usage.
Result<std::uint64_t> parse_size(std::string_view text);

}  // namespace bisect_run::config
