#include "lab/elf_libraries.h"

#include <elf.h>
#include <fmt/format.h>

#include <cstring>
#include <deque>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>

#include "model/try.h"

namespace bisect_run::lab {
namespace fs = std::filesystem;
namespace {

/// Bounds-checked views into the bytes of a file.
class ElfFile {
 public:
  explicit ElfFile(std::string bytes) : bytes_(std::move(bytes)) {}

  template <class T>
  std::optional<T> at(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  std::string text_at(std::uint64_t offset) const {
    if (offset >= bytes_.size()) return {};
    return bytes_.substr(offset, bytes_.find('\0', offset) - offset);
  }

 private:
  std::string bytes_;
};

std::optional<std::vector<Elf64_Phdr>> program_headers(const ElfFile& file) {
  const auto header = file.at<Elf64_Ehdr>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
    return std::nullopt;
  std::vector<Elf64_Phdr> headers;
  for (int i = 0; i < header->e_phnum; ++i) {
    const auto one = file.at<Elf64_Phdr>(header->e_phoff + i * sizeof(Elf64_Phdr));
    if (!one) return std::nullopt;
    headers.push_back(*one);
  }
  return headers;
}

std::uint64_t file_offset(const std::vector<Elf64_Phdr>& headers, std::uint64_t address) {
  for (const auto& part : headers)
    if (part.p_type == PT_LOAD && address >= part.p_vaddr && address - part.p_vaddr < part.p_filesz)
      return part.p_offset + (address - part.p_vaddr);
  return UINT64_MAX;
}

std::vector<std::string> needed_names(const ElfFile& file, const std::vector<Elf64_Phdr>& headers,
                                      const Elf64_Phdr& dynamic) {
  std::vector<std::uint64_t> names;
  std::uint64_t strings = UINT64_MAX;
  for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= dynamic.p_filesz; at += sizeof(Elf64_Dyn)) {
    const auto entry = file.at<Elf64_Dyn>(dynamic.p_offset + at);
    if (!entry || entry->d_tag == DT_NULL) break;
    if (entry->d_tag == DT_NEEDED) names.push_back(entry->d_un.d_val);
    if (entry->d_tag == DT_STRTAB) strings = file_offset(headers, entry->d_un.d_ptr);
  }
  std::vector<std::string> needed;
  for (const auto name : names)
    if (strings != UINT64_MAX) needed.push_back(file.text_at(strings + name));
  return needed;
}

void add_configured(const fs::path& file, std::vector<fs::path>& directories) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with('/')) directories.emplace_back(line);
}

/// ld.so(8): its built-in directories first here, since the guest has no ld.so.cache.
std::vector<fs::path> library_directories() {
  std::vector<fs::path> directories = {"/lib/x86_64-linux-gnu",
                                       "/usr/lib/x86_64-linux-gnu",
                                       "/lib64",
                                       "/usr/lib64",
                                       "/lib",
                                       "/usr/lib"};
  std::set<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator it("/etc/ld.so.conf.d", error), end; !error && it != end;
       it.increment(error))
    files.insert(it->path());
  for (const auto& file : files) add_configured(file, directories);
  return directories;
}

std::optional<fs::path> find_library(const std::string& name,
                                     const std::vector<fs::path>& directories) {
  std::error_code error;
  for (const auto& directory : directories)
    if (read_elf_needs(directory / name)) return directory / name;
  return std::nullopt;
}

}  // namespace

std::optional<ElfNeeds> read_elf_needs(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return std::nullopt;
  std::ifstream in(file, std::ios::binary);
  const ElfFile elf(std::string(std::istreambuf_iterator<char>(in), {}));
  const auto headers = program_headers(elf);
  if (!headers) return std::nullopt;
  ElfNeeds needs;
  for (const auto& part : *headers) {
    if (part.p_type == PT_INTERP) needs.interpreter = elf.text_at(part.p_offset);
    if (part.p_type == PT_DYNAMIC) needs.needed = needed_names(elf, *headers, part);
  }
  return needs;
}

Result<std::vector<fs::path>> libraries_of(const fs::path& program) {
  const auto directories = library_directories();
  std::set<fs::path> found;
  std::set<std::string> seen;
  std::deque<fs::path> open = {program};
  for (; !open.empty(); open.pop_front()) {
    const auto needs = read_elf_needs(open.front());
    if (!needs)
      return fail(ErrorKind::infra,
                  fmt::format("{} is no x86_64 program or library", open.front().string()));
    if (!needs->interpreter.empty()) found.insert(needs->interpreter);
    for (const auto& name : needs->needed) {
      if (!seen.insert(name).second) continue;
      const auto library = find_library(name, directories);
      if (!library)
        return fail(ErrorKind::infra,
                    fmt::format("{} needs {}, which is not to be found", program.string(), name));
      found.insert(*library);
      open.push_back(*library);
    }
  }
  return std::vector<fs::path>(found.begin(), found.end());
}

}  // namespace bisect_run::lab
