#include "notes.h"

#include <cstdint>
#include <cstring>

#include <elf.h>

namespace bisect_run::agent {
namespace {

std::size_t padded(std::size_t size) {
  return (size + 3) & ~std::size_t{3};
}

std::string hex_of(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  for (const char byte : bytes) {
    hex += digits[static_cast<unsigned char>(byte) >> 4];
    hex += digits[static_cast<unsigned char>(byte) & 15];
  }
  return hex;
}

}  // namespace

std::string build_id_of(std::string_view notes) {
  Elf64_Nhdr header;
  while (notes.size() >= sizeof header) {
    std::memcpy(&header, notes.data(), sizeof header);
    notes.remove_prefix(sizeof header);
    const std::size_t name_size = padded(header.n_namesz), size = padded(header.n_descsz);
    if (name_size > notes.size() || header.n_descsz > notes.size() - name_size) return {};
    const std::string_view name = notes.substr(0, header.n_namesz);
    if (header.n_type == NT_GNU_BUILD_ID && name == std::string_view("GNU\0", 4))
      return hex_of(notes.substr(name_size, header.n_descsz));
    notes.remove_prefix(std::min(name_size + size, notes.size()));
  }
  return {};
}

}  // namespace bisect_run::agent
