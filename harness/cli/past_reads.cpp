#include "cli/past_reads.h"

#include <memory>
#include <utility>

#include "engine/unread.h"
#include "kernel/image_cache.h"

namespace bisect_run::cli {
namespace {

/// Nothing is built: it only knows what was read.
class CachedReads : public engine::Builder {
 public:
  explicit CachedReads(kernel::ImageCache images) : images_(std::move(images)) {}
  Result<Image> build(const KernelSpec&) override {
    return fail(ErrorKind::bug, "a build while a run is looked at");
  }
  std::optional<std::vector<std::string>> files_read(const Image& image) override {
    return images_.files_read(image.build_key);
  }

 private:
  kernel::ImageCache images_;
};

class PathsOf : public engine::Source {
 public:
  explicit PathsOf(const git::Repository& repository) : repository_(repository) {}
  Result<engine::Undoing> undo(const Oid&, const Oid&) override {
    return fail(ErrorKind::bug, "a revert while a run is looked at");
  }
  Result<TouchedPaths> touched_paths(const Range& range) override {
    return repository_.touched_paths(range);
  }

 private:
  const git::Repository& repository_;
};

struct Past {
  CachedReads reads;
  PathsOf paths;
  engine::Unread unread;

  Past(kernel::ImageCache images, const git::Repository& repository, const Range& range,
       const engine::NodeIndex& index)
      : reads(std::move(images)), paths(repository), unread(range, index, reads, &paths) {}
};

}  // namespace

std::function<bisect::NodeSet(const History&)> past_reads(const git::Repository& repository,
                                                          const Range& range,
                                                          const engine::NodeIndex& index,
                                                          const std::filesystem::path& cache) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(cache / "images", ignored)) return {};
  auto images = kernel::ImageCache::open(cache / "images");
  if (!images) return {};
  const auto past = std::make_shared<Past>(std::move(*images), repository, range, index);
  return [past](const History& history) {
    return past->unread.now(history).value_or(bisect::NodeSet());
  };
}

}  // namespace bisect_run::cli
