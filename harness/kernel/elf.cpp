#include "kernel/elf.h"

#include <elf.h>

#include <cstring>

#include <fmt/format.h>

#include "model/try.h"

namespace bisect_run::kernel {
namespace {

/// No kernel comes near; a file that claims more is damaged.
constexpr std::uint64_t kMostSections = 65536;

std::unexpected<Error> damaged(std::string_view what) {
  return fail(ErrorKind::infra,
              fmt::format("the ELF file is damaged or no x86_64 vmlinux: {}", what));
}

/// The T at `offset`, or nothing if the file is too short.
template <class T>
std::optional<T> at(std::string_view file, std::uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, file.data() + offset, sizeof(T));
  return value;
}

std::optional<std::string_view> slice(std::string_view file, std::uint64_t offset,
                                      std::uint64_t size) {
  if (offset > file.size() || file.size() - offset < size) return std::nullopt;
  return file.substr(offset, size);
}

std::string_view name_at(std::string_view names, std::uint64_t offset) {
  if (offset >= names.size()) return {};
  const auto rest = names.substr(offset);
  const auto end = rest.find('\0');
  return end == std::string_view::npos ? std::string_view{} : rest.substr(0, end);
}

Result<Elf64_Ehdr> header_of(std::string_view file) {
  const auto header = at<Elf64_Ehdr>(file, 0);
  if (!header) return damaged("it is too short");
  if (std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return damaged("wrong magic number");
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
    return damaged("not 64-bit little-endian");
  if (header->e_shoff == 0 || header->e_shentsize != sizeof(Elf64_Shdr))
    return damaged("no section table");
  return *header;
}

}  // namespace

bool ElfSection::allocated() const {
  return (flags & SHF_ALLOC) != 0;
}
bool ElfSection::has_bytes() const {
  return type == SHT_PROGBITS;
}
bool ElfSection::is_note() const {
  return type == SHT_NOTE;
}

Result<std::vector<ElfSection>> elf_sections(std::string_view file) {
  BR_TRY_ASSIGN(const auto header, header_of(file));
  const auto first = at<Elf64_Shdr>(file, header.e_shoff);
  if (!first) return damaged("the section table lies outside");
  // Section 0 holds the numbers that do not fit into the header (gABI, "Sections").
  const std::uint64_t count = header.e_shnum != 0 ? header.e_shnum : first->sh_size;
  const std::uint64_t names_index =
      header.e_shstrndx != SHN_XINDEX ? header.e_shstrndx : first->sh_link;
  if (count > kMostSections || !slice(file, header.e_shoff, count * sizeof(Elf64_Shdr)))
    return damaged("the section table lies outside");
  if (names_index >= count) return damaged("no section names");
  const auto names_header =
      *at<Elf64_Shdr>(file, header.e_shoff + names_index * sizeof(Elf64_Shdr));
  const auto names = slice(file, names_header.sh_offset, names_header.sh_size);
  if (!names) return damaged("the section names lie outside");

  std::vector<ElfSection> sections;
  sections.reserve(count);
  for (std::uint64_t i = 1; i < count; ++i) {
    const auto raw = *at<Elf64_Shdr>(file, header.e_shoff + i * sizeof(Elf64_Shdr));
    ElfSection section{
        name_at(*names, raw.sh_name), raw.sh_type, raw.sh_flags, raw.sh_addr, raw.sh_size, {}};
    if (raw.sh_type != SHT_NOBITS && raw.sh_type != SHT_NULL) {
      const auto bytes = slice(file, raw.sh_offset, raw.sh_size);
      if (!bytes) return damaged(fmt::format("section {} lies outside", i));
      section.bytes = *bytes;
    }
    sections.push_back(section);
  }
  return sections;
}

std::optional<std::string_view> find_note(std::string_view notes, std::string_view owner,
                                          std::uint32_t type) {
  const auto padded = [](std::uint64_t size) { return (size + 3) & ~std::uint64_t{3}; };
  std::uint64_t offset = 0;
  while (const auto note = at<Elf64_Nhdr>(notes, offset)) {
    offset += sizeof(Elf64_Nhdr);
    const auto name = slice(notes, offset, note->n_namesz);
    offset += padded(note->n_namesz);
    const auto description = slice(notes, offset, note->n_descsz);
    offset += padded(note->n_descsz);
    if (!name || !description) return std::nullopt;
    // The stored name ends with a NUL.
    if (note->n_type == type && note->n_namesz == owner.size() + 1 && name->starts_with(owner))
      return description;
  }
  return std::nullopt;
}

}  // namespace bisect_run::kernel
