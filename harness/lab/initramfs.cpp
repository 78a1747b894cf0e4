#include "lab/initramfs.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "lab/elf_libraries.h"
#include "model/try.h"
#include "wire/digest.h"

namespace bisect_run::lab {
namespace fs = std::filesystem;
namespace {

struct FreeArchive {
  void operator()(archive* it) const { archive_write_free(it); }
};
struct FreeEntry {
  void operator()(archive_entry* it) const { archive_entry_free(it); }
};
using Archive = std::unique_ptr<archive, FreeArchive>;
using Entry = std::unique_ptr<archive_entry, FreeEntry>;

la_ssize_t append(archive*, void* to, const void* bytes, std::size_t size) {
  static_cast<std::string*>(to)->append(static_cast<const char*>(bytes), size);
  return static_cast<la_ssize_t>(size);
}

bool write_entry(archive* to, const GuestFile& file, std::int64_t number) {
  const Entry entry(archive_entry_new());
  archive_entry_set_pathname(entry.get(), file.path.c_str());
  archive_entry_set_mode(entry.get(), file.mode);
  archive_entry_set_ino64(entry.get(), number);
  archive_entry_set_nlink(entry.get(), S_ISDIR(file.mode) ? 2 : 1);
  archive_entry_set_mtime(entry.get(), 0, 0);
  archive_entry_set_size(entry.get(), static_cast<la_int64_t>(file.content.size()));
  if (S_ISCHR(file.mode)) {
    archive_entry_set_rdevmajor(entry.get(), file.major);
    archive_entry_set_rdevminor(entry.get(), file.minor);
  }
  if (archive_write_header(to, entry.get()) != ARCHIVE_OK) return false;
  return archive_write_data(to, file.content.data(), file.content.size()) ==
         static_cast<la_ssize_t>(file.content.size());
}

/// Sorted by path, so that a directory comes before what is in it.
std::map<std::string, GuestFile> with_parents(std::vector<GuestFile> files) {
  std::map<std::string, GuestFile> all;
  for (auto& file : files) {
    for (auto slash = file.path.find('/'); slash != std::string::npos;
         slash = file.path.find('/', slash + 1)) {
      const std::string parent = file.path.substr(0, slash);
      all.try_emplace(parent, GuestFile{parent, S_IFDIR | 0755, {}});
    }
    const std::string path = file.path;
    all.insert_or_assign(path, std::move(file));
  }
  return all;
}

Result<std::string> content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(in), {});
  if (!in.good() && !in.eof()) return fail(ErrorKind::infra, "cannot read " + file.string());
  if (bytes.empty()) return fail(ErrorKind::infra, file.string() + " is missing or empty");
  return bytes;
}

std::optional<fs::path> find_program(const std::string& name) {
  std::error_code error;
  for (const char* directory : {"/usr/sbin", "/usr/bin", "/sbin", "/bin"})
    if (fs::is_regular_file(fs::path(directory) / name, error)) return fs::path(directory) / name;
  return std::nullopt;
}

Status add_program(const std::string& name, std::vector<GuestFile>& files) {
  const auto program = find_program(name);
  if (!program)
    return fail(ErrorKind::infra,
                fmt::format("mode process runs this machine's own `{}` in the guest, and it is not "
                            "installed; install it (`ip` is in the package iproute2), or choose "
                            "--mode fork",
                            name));
  BR_TRY_ASSIGN(auto bytes, content_of(*program));
  files.push_back({"bin/" + name, S_IFREG | 0755, std::move(bytes)});
  BR_TRY_ASSIGN(const auto libraries, libraries_of(*program));
  for (const auto& library : libraries) {
    BR_TRY_ASSIGN(auto content, content_of(library));
    files.push_back({library.relative_path().string(), S_IFREG | 0755, std::move(content)});
  }
  return {};
}

Status write_beside(const fs::path& target, const std::string& bytes) {
  const fs::path beside = target.string() + fmt::format(".{}", ::getpid());
  std::ofstream out(beside, std::ios::binary);
  out << bytes;
  out.close();
  std::error_code error;
  if (out) fs::rename(beside, target, error);
  if (!out || error) {
    std::error_code ignored;
    fs::remove(beside, ignored);
    return fail(ErrorKind::infra,
                fmt::format("cannot write {}; is the disk full?", target.string()));
  }
  return {};
}

}  // namespace

Result<std::string> pack(std::vector<GuestFile> files) {
  std::string bytes;
  const Archive out(archive_write_new());
  // newc wants blocks of 512 at most here; a tape record of 10 KiB would only pad.
  if (archive_write_set_format_cpio_newc(out.get()) != ARCHIVE_OK ||
      archive_write_set_bytes_per_block(out.get(), 512) != ARCHIVE_OK ||
      archive_write_open(out.get(), &bytes, nullptr, append, nullptr) != ARCHIVE_OK)
    return fail(ErrorKind::bug, "cannot start a cpio archive");
  std::int64_t number = 1;
  for (const auto& [path, file] : with_parents(std::move(files)))
    if (!write_entry(out.get(), file, number++))
      return fail(ErrorKind::bug,
                  fmt::format("cannot pack {}: {}", path, archive_error_string(out.get())));
  if (archive_write_close(out.get()) != ARCHIVE_OK)
    return fail(ErrorKind::bug, "cannot end a cpio archive");
  return bytes;
}

Result<std::vector<GuestFile>> guest_files(const fs::path& agent, std::string_view mode) {
  std::vector<GuestFile> files;
  BR_TRY_ASSIGN(auto init, content_of(agent));
  files.push_back({"init", S_IFREG | 0755, std::move(init)});
  for (const char* directory : {"dev", "proc", "sys", "run", "tmp", "root", "etc", "var"})
    files.push_back({directory, S_IFDIR | 0755, {}});
  // The kernel opens it for PID 1 before anything is mounted.
  files.push_back({"dev/console", S_IFCHR | 0600, {}, 5, 1});
  files.push_back({"dev/null", S_IFCHR | 0666, {}, 1, 3});
  if (mode == "process") {
    BR_TRY(add_program("ip", files));
    BR_TRY(add_program("true", files));
    if (find_program("sysctl")) BR_TRY(add_program("sysctl", files));
  }
  return files;
}

Result<fs::path> initramfs(const fs::path& directory, const fs::path& agent,
                           std::string_view mode) {
  BR_TRY_ASSIGN(auto files, guest_files(agent, mode));
  BR_TRY_ASSIGN(const auto bytes, pack(std::move(files)));
  const fs::path target = directory / fmt::format("initramfs-{}.cpio", wire::digest_of(bytes));
  std::error_code error;
  fs::create_directories(directory, error);
  if (fs::file_size(target, error) == bytes.size() && !error) return target;
  BR_TRY(write_beside(target, bytes));
  return target;
}

}  // namespace bisect_run::lab
