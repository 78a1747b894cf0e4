#include "kernel/cache_budget.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "kernel/files.h"

namespace bisect_run::kernel {
namespace fs = std::filesystem;
namespace {

// A small kernel with gcc 12, before anything was built here.
constexpr std::uint64_t kUsualObjects = 400'000'000;
constexpr std::uint64_t kUsualImage = 4'000'000;
constexpr std::uint64_t kUsualTree = 1'600'000'000;

std::uint64_t free_on_disk(fs::path place) {
  std::error_code error;
  while (!fs::exists(place, error) && place.has_relative_path()) place = place.parent_path();
  return free_bytes(place).value_or(0);
}

}  // namespace

CacheBudget::CacheBudget(fs::path cache, std::uint64_t limit_bytes, std::vector<fs::path> copies)
    : cache_(std::move(cache)), limit_(limit_bytes), copies_(std::move(copies)), survey_(cache_) {}

std::uint64_t CacheBudget::rest() {
  if (!rest_) rest_ = survey_.rest();
  return *rest_;
}

/// `enough` is asked before each eviction, with what the caches then hold.
template <class Enough>
CacheBudget::Freed CacheBudget::evict_until(Enough enough) {
  const std::lock_guard lock(*mutex_);
  Freed freed;
  const auto entries = survey_.entries(copies_);
  auto held = rest();
  for (const auto& entry : entries) held += entry.bytes;
  for (const auto& entry : entries) {
    if (enough(held)) break;
    if (!evict(entry)) continue;
    ++freed.entries;
    freed.bytes += entry.bytes;
    held -= entry.bytes;
  }
  return freed;
}

CacheBudget::Freed CacheBudget::keep_within() {
  return evict_until([this](std::uint64_t held) { return held <= limit_; });
}

CacheBudget::Freed CacheBudget::make_room_on_disk(std::uint64_t wanted_bytes) {
  if (free_on_disk(cache_) >= wanted_bytes) return {};
  return evict_until([&](std::uint64_t) { return free_on_disk(cache_) >= wanted_bytes; });
}

std::uint64_t CacheBudget::bytes() {
  const std::lock_guard lock(*mutex_);
  auto held = rest();
  for (const auto& entry : survey_.entries(copies_)) held += entry.bytes;
  return held;
}

SpaceOutlook space_outlook(const fs::path& cache, std::uint64_t limit_bytes, double builds) {
  CacheSurvey survey(cache);
  SpaceOutlook outlook{.held = survey.rest(), .limit = limit_bytes, .free = free_on_disk(cache)};
  std::uint64_t objects = 0, tree = 0, image = 0;
  for (const auto& entry : survey.entries()) {
    outlook.held += entry.bytes;
    if (entry.kind == CacheEntry::Kind::objects) objects = std::max(objects, entry.bytes);
    if (entry.kind == CacheEntry::Kind::tree) tree = std::max(tree, entry.bytes);
    if (entry.kind == CacheEntry::Kind::image) image = std::max(image, entry.bytes);
  }
  outlook.to_come =
      static_cast<std::uint64_t>(builds * static_cast<double>(image > 0 ? image : kUsualImage));
  if (objects == 0) outlook.to_come += kUsualObjects;
  if (tree == 0) outlook.to_come += kUsualTree;
  return outlook;
}

std::string describe(const SpaceOutlook& outlook) {
  return fmt::format("about {} to come; the caches hold {} of {}; {} are free on their disk",
                     human_size(outlook.to_come), human_size(outlook.held),
                     human_size(outlook.limit), human_size(outlook.free));
}

}  // namespace bisect_run::kernel
