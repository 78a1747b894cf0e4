#pragma once

#include <elf.h>

#include <cstring>
#include <string>
#include <vector>

namespace bisect_run::test {

struct SyntheticSection {
  std::string name;
  std::uint32_t type;
  std::uint64_t flags;
  std::string bytes;
};

template <class T>
std::string raw(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

/// A note as the linker writes it.
inline std::string note(const std::string& owner, std::uint32_t type, const std::string& content) {
  const auto padded = [](std::string text) {
    return text + std::string((4 - text.size() % 4) % 4, '\0');
  };
  const Elf64_Nhdr header{static_cast<Elf64_Word>(owner.size() + 1),
                          static_cast<Elf64_Word>(content.size()), type};
  return raw(header) + padded(owner + '\0') + padded(content);
}

/// A 64-bit ELF file: header, contents, names, section table.
inline std::string synthetic_elf(const std::vector<SyntheticSection>& sections) {
  std::string contents, names(1, '\0');
  std::vector<Elf64_Shdr> table(1);
  std::uint64_t address = 0x1000;
  for (const auto& section : sections) {
    Elf64_Shdr header{};
    header.sh_name = static_cast<Elf64_Word>(names.size());
    header.sh_type = section.type;
    header.sh_flags = section.flags;
    header.sh_addr = address;
    header.sh_offset = sizeof(Elf64_Ehdr) + contents.size();
    header.sh_size = section.bytes.size();
    names += section.name + '\0';
    if (section.type != SHT_NOBITS) contents += section.bytes;
    address += 0x1000;
    table.push_back(header);
  }
  Elf64_Shdr strings{};
  strings.sh_name = static_cast<Elf64_Word>(names.size());
  names += std::string(".shstrtab") + '\0';
  strings.sh_type = SHT_STRTAB;
  strings.sh_offset = sizeof(Elf64_Ehdr) + contents.size();
  strings.sh_size = names.size();
  table.push_back(strings);

  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_shoff = sizeof header + contents.size() + names.size();
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<Elf64_Half>(table.size());
  header.e_shstrndx = static_cast<Elf64_Half>(table.size() - 1);
  std::string file = raw(header) + contents + names;
  for (const auto& entry : table) file += raw(entry);
  return file;
}

}  // namespace bisect_run::test
