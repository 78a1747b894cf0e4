#include "kernel/cache_entries.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "model/unique_fd.h"

namespace bisect_run::kernel {
namespace fs = std::filesystem;
namespace {

using Kind = CacheEntry::Kind;

/// Nanoseconds since the epoch; 0 for what is not there.
std::int64_t modified_at(const fs::path& file) {
  struct stat found{};
  if (::lstat(file.c_str(), &found) != 0) return 0;
  return std::int64_t{found.st_mtim.tv_sec} * 1'000'000'000 + found.st_mtim.tv_nsec;
}

std::uint64_t blocks_of(const fs::path& file) {
  struct stat found{};
  return ::lstat(file.c_str(), &found) == 0 ? static_cast<std::uint64_t>(found.st_blocks) * 512 : 0;
}

const std::string kEvicted = ".evicted-";

std::vector<fs::path> children_of(const fs::path& parent) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(parent, error), end; !error && it != end; it.increment(error))
    found.push_back(it->path());
  return found;
}

std::vector<fs::path> directories_in(const fs::path& parent) {
  auto found = children_of(parent);
  std::erase_if(found, [](const fs::path& path) {
    return !fs::is_directory(path) || path.filename().native().starts_with('.');
  });
  return found;
}

/// What may be removed of a directory that is kept for its lock. Markers say whose directory it is.
bool stays(const fs::path& name) {
  return name == "lock" || name.native().starts_with("bisect-run-");
}

/// Directories go out of sight in one step each, so that a crash leaves no half of one to be
/// trusted; notes of what is in them go last.
bool empty_but_for_lock(const fs::path& directory) {
  const UniqueFd lock(::open((directory / "lock").c_str(), O_RDWR | O_CLOEXEC));
  if (!lock || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return false;
  std::error_code error;
  std::vector<fs::path> notes;
  bool anything = false;
  for (const auto& child : children_of(directory)) {
    const auto name = child.filename();
    if (stays(name)) continue;
    anything = true;
    if (name.native().starts_with(kEvicted)) continue;
    if (fs::is_directory(child))
      fs::rename(child, directory / (kEvicted + name.native()), error);
    else
      notes.push_back(child);
  }
  for (const auto& child : children_of(directory))
    if (child.filename().native().starts_with(kEvicted)) fs::remove_all(child, error);
  for (const auto& note : notes) fs::remove(note, error);
  ::futimens(lock.get(), nullptr);  // whoever knows its size measures it again
  return anything && !error;
}

/// Out of sight in one step, so that nobody finds half of it.
bool remove_image(const fs::path& directory) {
  const UniqueFd lock(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!lock || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return false;
  const auto aside = directory.parent_path() /
                     fmt::format(".unfinished-{}-{}", ::getpid(), directory.filename().string());
  std::error_code error;
  if (::rename(directory.c_str(), aside.c_str()) != 0) return false;
  fs::remove_all(aside, error);
  return !error;
}

bool is_locked(const fs::path& lock_file) {
  const UniqueFd lock(::open(lock_file.c_str(), O_RDWR | O_CLOEXEC));
  return lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0;
}

/// Trees borrow its objects, and a run on it reads it all the time.
bool remove_demo(const fs::path& directory) {
  for (const auto& tree : directories_in(directory.parent_path() / "trees"))
    if (is_locked(tree / "lock")) return false;
  const UniqueFd lock(::open((directory / "lock").c_str(), O_RDWR | O_CLOEXEC));
  if (!lock || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return false;
  std::error_code error;
  // Written last when it is made, it says that the rest is whole: so it goes first.
  fs::remove(directory / "finished", error);
  const bool anything = fs::remove_all(directory / "linux.git", error) > 0;
  ::futimens(lock.get(), nullptr);
  return anything && !error;
}

}  // namespace

std::string_view to_string(CacheEntry::Kind kind) {
  switch (kind) {
    case Kind::image:
      return "image";
    case Kind::objects:
      return "object directory";
    case Kind::tree:
      return "source tree";
    case Kind::demo:
      return "demo history";
    case Kind::log:
      return "log";
    case Kind::copy:
      return "copy of a finished run";
  }
  return "entry";
}

std::uint64_t disk_usage(const fs::path& place) {
  std::uint64_t bytes = blocks_of(place);
  std::error_code error;
  for (fs::recursive_directory_iterator
           it(place, fs::directory_options::skip_permission_denied, error),
       end;
       !error && it != end; it.increment(error))
    bytes += blocks_of(it->path());
  return bytes;
}

void CacheSurvey::add(std::vector<CacheEntry>& all, Kind kind, const fs::path& path,
                      const fs::path& stamp) {
  const auto used_at = modified_at(stamp);
  auto bytes = known_.find(path, used_at);
  if (!bytes) {
    bytes = disk_usage(path);
    // Where make is at work, it grows under a stamp that stays.
    const bool settled = stamp == path || !is_locked(stamp);
    known_.remember(path, used_at, *bytes, settled);
  }
  all.push_back({kind, path, *bytes, used_at});
}

std::vector<CacheEntry> CacheSurvey::entries(const std::vector<fs::path>& copies) {
  std::vector<CacheEntry> all;
  for (const auto& image : directories_in(cache_ / "images")) add(all, Kind::image, image, image);
  for (const auto& compiler : directories_in(cache_ / "objects"))
    for (const auto& objects : directories_in(compiler))
      add(all, Kind::objects, objects, objects / "lock");
  for (const auto& tree : directories_in(cache_ / "trees"))
    add(all, Kind::tree, tree, tree / "lock");
  if (modified_at(cache_ / "demo/lock") != 0)
    add(all, Kind::demo, cache_ / "demo", cache_ / "demo/lock");
  for (const auto& log : children_of(cache_ / "logs")) add(all, Kind::log, log, log);
  for (const auto& copy : copies)
    if (modified_at(copy) != 0) add(all, Kind::copy, copy, copy);
  known_.keep();
  std::ranges::sort(all, {}, &CacheEntry::used_at);
  return all;
}

std::uint64_t CacheSurvey::rest() {
  std::uint64_t bytes = 0;
  for (const char* name : {"ccache", "facts", "libvirt"}) bytes += disk_usage(cache_ / name);
  return bytes;
}

bool evict(const CacheEntry& entry) {
  std::error_code error;
  switch (entry.kind) {
    case Kind::image:
      return remove_image(entry.path);
    case Kind::objects:
    case Kind::tree:
      return empty_but_for_lock(entry.path);
    case Kind::demo:
      return remove_demo(entry.path);
    case Kind::log:
    case Kind::copy:
      return fs::remove(entry.path, error);
  }
  return false;
}

}  // namespace bisect_run::kernel
