#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "kernel/known_sizes.h"

namespace bisect_run::kernel {

/// One thing in the caches that can go as a whole and be made again.
struct CacheEntry {
  enum class Kind { image, objects, tree, demo, log, copy };
  Kind kind = Kind::log;
  std::filesystem::path path;
  std::uint64_t bytes = 0;   ///< on the disk
  std::int64_t used_at = 0;  ///< nanoseconds since the epoch, by the stamp of its last use
};

std::string_view to_string(CacheEntry::Kind kind);

/// Finds what is in a cache directory and how large it is. A directory is gone through again only
/// when it was used since, even by another controller.
class CacheSurvey {
 public:
  explicit CacheSurvey(std::filesystem::path cache)
      : cache_(std::move(cache)), known_(cache_ / "sizes") {}

  /// All entries, least recently used first. `copies` are files elsewhere that count as well.
  std::vector<CacheEntry> entries(const std::vector<std::filesystem::path>& copies = {});
  /// What lies beside the entries: ccache, which keeps to a size of its own, and small change.
  std::uint64_t rest();

 private:
  void add(std::vector<CacheEntry>& all, CacheEntry::Kind kind, const std::filesystem::path& path,
           const std::filesystem::path& stamp);

  std::filesystem::path cache_;
  KnownSizes known_;
};

/// Bytes that a file or everything below a directory takes on the disk.
std::uint64_t disk_usage(const std::filesystem::path& place);

/// Removes an entry unless somebody uses it: the entry's own lock tells, which the kernel gives up
/// with its owner. Lock files themselves stay, for another controller may be waiting at one.
/// False: it is in use, or could not be removed whole.
bool evict(const CacheEntry& entry);

}  // namespace bisect_run::kernel
