#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/error.h"

namespace bisect_run::lab {

/// What one ELF file asks of the loader.
struct ElfNeeds {
  std::string interpreter;          ///< PT_INTERP; empty: static, or a library
  std::vector<std::string> needed;  ///< DT_NEEDED, in order
};

/// Nothing when `file` is no 64-bit little-endian ELF or is damaged.
std::optional<ElfNeeds> read_elf_needs(const std::filesystem::path& file);

/// The loader and all libraries a program needs, found where the loader looks by default; sorted.
/// Errors: infra, when one is missing.
Result<std::vector<std::filesystem::path>> libraries_of(const std::filesystem::path& program);

}  // namespace bisect_run::lab
