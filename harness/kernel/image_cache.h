#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "model/error.h"
#include "model/unique_fd.h"

namespace bisect_run::kernel {

/// What a finished build leaves: the files to boot and how to recognise them.
struct StoredImage {
  std::string signature, build_id, release, config_digest, compiler;
  double build_seconds = 0;
  std::filesystem::path bzimage, config;
  std::string files_read;  ///< one a line; empty: not known, and never filled in by `find`
};

/// Images by build key, one directory each. An image is there whole or not at all.
class ImageCache {
 public:
  /// Removes what a crash left half-written more than a day ago.
  static Result<ImageCache> open(std::filesystem::path directory);

  /// The image, after its files were checked against the digests stored with them. A damaged one
  /// counts as absent.
  std::optional<StoredImage> find(const std::string& build_key) const;

  /// Notes that the image is used now, and keeps it from being evicted by anybody as long as this
  /// object lives. False: there is none, or it is about to go.
  bool pin(const std::string& build_key);

  /// The build keys of all images, the last built first.
  std::vector<std::string> newest_first() const;
  /// What the build of this image read, relative to its tree; nothing where that is not known.
  std::optional<std::vector<std::string>> files_read(const std::string& build_key) const;

  /// Copies bzImage and config in, and makes them durable. What stood under the key before is
  /// replaced. Error: infra.
  Result<StoredImage> store(const std::string& build_key, const StoredImage& built) const;

 private:
  explicit ImageCache(std::filesystem::path directory) : directory_(std::move(directory)) {}

  std::filesystem::path directory_;
  /// Open directories with a shared lock. Several kernels may be built at once.
  std::map<std::string, UniqueFd> pins_;
  std::unique_ptr<std::mutex> pins_mutex_ = std::make_unique<std::mutex>();
};

}  // namespace bisect_run::kernel
