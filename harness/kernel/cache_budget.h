#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "kernel/cache_entries.h"

namespace bisect_run::kernel {

/// Keeps the caches within a size. The least recently used entry goes first, whatever it is; what
/// a living controller uses (images of its run, its source tree, an object directory in which make
/// is at work) stays, so that the caches may be larger than asked for while nothing can go. Builds
/// that go on side by side may ask at once.
class CacheBudget {
 public:
  /// `copies`: files of finished runs outside the cache that can go too.
  CacheBudget(std::filesystem::path cache, std::uint64_t limit_bytes,
              std::vector<std::filesystem::path> copies = {});

  struct Freed {
    int entries = 0;
    std::uint64_t bytes = 0;
  };
  /// Brings the caches within their size.
  Freed keep_within();
  /// Frees until the disk of the cache has `wanted` bytes left, or nothing more can go.
  Freed make_room_on_disk(std::uint64_t wanted_bytes);

  /// What all caches take now.
  std::uint64_t bytes();
  std::uint64_t limit_bytes() const { return limit_; }
  /// The part that ccache may take for itself.
  std::uint64_t ccache_bytes() const { return limit_ / 4; }

 private:
  template <class Enough>
  Freed evict_until(Enough enough);
  std::uint64_t rest();

  std::filesystem::path cache_;
  std::uint64_t limit_;
  std::vector<std::filesystem::path> copies_;
  /// Held through a survey and all that goes because of it.
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
  CacheSurvey survey_;
  std::optional<std::uint64_t> rest_;  ///< measured once: many files, and ccache limits itself
};

/// What a number of builds will take, judged by what is in the cache already.
struct SpaceOutlook {
  std::uint64_t to_come = 0;  ///< images, and an object directory where there is none yet
  std::uint64_t held = 0;     ///< by the caches now
  std::uint64_t limit = 0;
  std::uint64_t free = 0;  ///< on the disk of the cache

  bool fits() const { return free >= to_come; }
};
SpaceOutlook space_outlook(const std::filesystem::path& cache, std::uint64_t limit_bytes,
                           double builds);
/// `about 1.5 GiB to come; the caches hold 3.4 GiB of 18.6 GiB; 40.0 GiB are free on their disk`
std::string describe(const SpaceOutlook& outlook);

}  // namespace bisect_run::kernel
