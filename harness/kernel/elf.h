#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/error.h"

namespace bisect_run::kernel {

/// One section of an ELF file. `bytes` points into the file's bytes; empty for NOBITS.
struct ElfSection {
  std::string_view name;
  std::uint32_t type = 0;
  std::uint64_t flags = 0;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  std::string_view bytes;

  bool allocated() const;  ///< it is in memory when the kernel runs
  bool has_bytes() const;  ///< PROGBITS
  bool is_note() const;
};

/// The section table of a 64-bit little-endian ELF file whose bytes are `file`, which must stay
/// alive. Every offset is checked. Error: infra, saying what is wrong with the file.
Result<std::vector<ElfSection>> elf_sections(std::string_view file);

/// The description of the first note of this owner and type, or nothing.
std::optional<std::string_view> find_note(std::string_view notes, std::string_view owner,
                                          std::uint32_t type);

}  // namespace bisect_run::kernel
