#include "kernel/remedy_files.h"

#include <unistd.h>

#include <cerrno>
#include <map>

#include <fmt/format.h>

#include "kernel/files.h"
#include "model/try.h"
#include "wire/digest.h"

namespace bisect_run::kernel {
namespace fs = std::filesystem;
namespace {

struct File {
  std::string text;
  bool executable = false;
};

constexpr auto kMayRun = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;

Result<std::map<fs::path, File>> read_all(const fs::path& from) {
  std::map<fs::path, File> files;
  std::error_code error;
  if (from.empty() || !fs::exists(from, error)) return files;
  for (fs::recursive_directory_iterator at(from, error), end; !error && at != end;
       at.increment(error)) {
    if (!at->is_regular_file(error)) continue;
    BR_TRY_ASSIGN(auto text, read_file(at->path()));
    const bool runs = (at->status(error).permissions() & kMayRun) != fs::perms::none;
    files.emplace(at->path().lexically_relative(from), File{std::move(text), runs});
  }
  if (error) return system_failure("read", from, error.value());
  return files;
}

Status write_all(const std::map<fs::path, File>& files, const fs::path& to) {
  BR_TRY(make_directories(to));
  for (const auto& [name, file] : files) {
    BR_TRY(make_directories((to / name).parent_path()));
    BR_TRY(write_file(to / name, file.text));
    std::error_code error;
    if (file.executable) fs::permissions(to / name, kMayRun, fs::perm_options::add, error);
    if (error) return system_failure("make executable", to / name, error.value());
  }
  return {};
}

}  // namespace

Result<RemedyFiles> shelve_remedies(const fs::path& from, const fs::path& shelf) {
  BR_TRY_ASSIGN(const auto files, read_all(from));
  wire::Digest digest;
  for (const auto& [name, file] : files)
    digest.add(name.native()).add(file.text).add(std::int64_t{file.executable});
  RemedyFiles shelved{{}, digest.hex()};
  shelved.directory = shelf / shelved.digest.substr(0, 16);
  std::error_code error;
  if (fs::exists(shelved.directory, error)) return shelved;
  // Whole or not at all; another controller may be doing just the same.
  const auto fresh = shelf / fmt::format(".unfinished-{}", ::getpid());
  fs::remove_all(fresh, error);
  BR_TRY(write_all(files, fresh));
  if (::rename(fresh.c_str(), shelved.directory.c_str()) != 0 && !fs::exists(shelved.directory))
    return system_failure("write", shelved.directory, errno);
  fs::remove_all(fresh, error);
  return shelved;
}

}  // namespace bisect_run::kernel
