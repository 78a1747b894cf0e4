#include "kernel/image_cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "kernel/files.h"
#include "model/try.h"
#include "wire/digest.h"

namespace bisect_run::kernel {
namespace {

constexpr std::string_view kTitle = "kernel image 1\n";
constexpr std::string_view kUnfinished = ".unfinished-";

std::string manifest_of(const StoredImage& image, const std::string& bzimage_digest) {
  auto text = std::string(kTitle);
  const auto line = [&](std::string_view name, std::string_view value) {
    text += fmt::format("{} {}\n", name, value);
  };
  line("signature", image.signature);
  line("build-id", image.build_id);
  line("release", image.release);
  line("config-digest", image.config_digest);
  line("compiler", image.compiler);
  line("build-seconds", fmt::format("{:.3f}", image.build_seconds));
  line("bzimage-digest", bzimage_digest);
  return text + "manifest-digest " + wire::digest_of(text) + "\n";
}

using Fields = std::map<std::string, std::string, std::less<>>;

/// The fields of an undamaged manifest.
std::optional<Fields> parse(std::string_view text) {
  if (!text.starts_with(kTitle)) return std::nullopt;
  const auto end = text.find("manifest-digest ");
  if (end == std::string_view::npos ||
      text.substr(end) != "manifest-digest " + wire::digest_of(text.substr(0, end)) + "\n")
    return std::nullopt;
  Fields fields;
  auto body = text.substr(kTitle.size(), end - kTitle.size());
  while (!body.empty()) {
    const auto line = body.substr(0, body.find('\n'));
    body.remove_prefix(line.size() + 1);
    const auto blank = line.find(' ');
    if (blank == std::string_view::npos) return std::nullopt;
    fields.emplace(line.substr(0, blank), line.substr(blank + 1));
  }
  return fields;
}

/// The digest of a file's bytes; empty if it cannot be read.
std::string digest_of_file(const std::filesystem::path& file) {
  const auto bytes = read_file(file);
  return bytes ? wire::digest_of(*bytes) : std::string();
}

StoredImage at(const std::filesystem::path& place, const Fields& fields) {
  const auto field = [&](std::string_view name) {
    const auto found = fields.find(name);
    return found == fields.end() ? std::string() : found->second;
  };
  StoredImage image{field("signature"),     field("build-id"), field("release"),
                    field("config-digest"), field("compiler"), 0,
                    place / "bzImage",      place / "config",  {}};
  const auto seconds = field("build-seconds");
  std::from_chars(seconds.data(), seconds.data() + seconds.size(), image.build_seconds);
  return image;
}

void remove_old_leftovers(const std::filesystem::path& directory) {
  const auto yesterday = std::filesystem::file_time_type::clock::now() - std::chrono::hours(24);
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error))
    if (entry.path().filename().native().starts_with(kUnfinished) &&
        entry.last_write_time(error) < yesterday)
      std::filesystem::remove_all(entry.path(), error);
}

Status fill(const std::filesystem::path& place, const StoredImage& built) {
  BR_TRY(make_directories(place));
  BR_TRY_ASSIGN(const auto bzimage, read_file(built.bzimage));
  BR_TRY_ASSIGN(const auto config, read_file(built.config));
  BR_TRY(write_file(place / "bzImage", bzimage, true));
  BR_TRY(write_file(place / "config", config, true));
  if (!built.files_read.empty()) BR_TRY(write_file(place / "files-read", built.files_read, true));
  BR_TRY(write_file(place / "manifest", manifest_of(built, wire::digest_of(bzimage)), true));
  return sync_directory(place);
}

/// Puts `from` in the place of `to`, which may exist: only a damaged image is ever replaced, or
/// one that another controller finished at the same moment.
Status move_into_place(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (::rename(from.c_str(), to.c_str()) == 0) return {};
  std::error_code error;
  std::filesystem::remove_all(to, error);
  if (::rename(from.c_str(), to.c_str()) == 0) return {};
  return system_failure("write", to, errno);
}

}  // namespace

Result<ImageCache> ImageCache::open(std::filesystem::path directory) {
  BR_TRY(make_directories(directory));
  remove_old_leftovers(directory);
  return ImageCache(std::move(directory));
}

std::optional<StoredImage> ImageCache::find(const std::string& build_key) const {
  const auto place = directory_ / build_key;
  const auto text = read_file(place / "manifest");
  if (!text) return std::nullopt;
  const auto fields = parse(*text);
  if (!fields) return std::nullopt;
  auto image = at(place, *fields);
  const auto wanted = fields->find("bzimage-digest");
  if (wanted == fields->end() || digest_of_file(image.bzimage) != wanted->second ||
      digest_of_file(image.config) != image.config_digest)
    return std::nullopt;
  return image;
}

std::vector<std::string> ImageCache::newest_first() const {
  std::multimap<std::filesystem::file_time_type, std::string, std::greater<>> by_time;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory_, error))
    if (!entry.path().filename().native().starts_with("."))
      by_time.emplace(entry.last_write_time(error), entry.path().filename());
  std::vector<std::string> keys;
  for (const auto& [time, key] : by_time) keys.push_back(key);
  return keys;
}

bool ImageCache::pin(const std::string& build_key) {
  const auto place = directory_ / build_key;
  UniqueFd image(::open(place.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!image || ::flock(image.get(), LOCK_SH | LOCK_NB) != 0) return false;
  // Whoever evicts it puts it aside under the lock: is it still the one that has the name?
  struct stat held{}, named{};
  if (::fstat(image.get(), &held) != 0 || ::stat(place.c_str(), &named) != 0 ||
      held.st_ino != named.st_ino)
    return false;
  ::futimens(image.get(), nullptr);
  const std::lock_guard lock(*pins_mutex_);
  pins_.insert_or_assign(build_key, std::move(image));
  return true;
}

std::optional<std::vector<std::string>> ImageCache::files_read(const std::string& build_key) const {
  const auto text = read_file(directory_ / build_key / "files-read");
  if (!text || text->empty()) return std::nullopt;
  std::vector<std::string> files;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) files.push_back(line);
  return files;
}

Result<StoredImage> ImageCache::store(const std::string& build_key,
                                      const StoredImage& built) const {
  const auto unfinished = directory_ / fmt::format("{}{}-{}", kUnfinished, own_suffix(), build_key);
  auto filled = fill(unfinished, built);
  if (filled) filled = move_into_place(unfinished, directory_ / build_key);
  if (!filled) {
    std::error_code ignored;
    std::filesystem::remove_all(unfinished, ignored);
    return std::unexpected(filled.error());
  }
  BR_TRY(sync_directory(directory_));
  auto stored = built;
  stored.bzimage = directory_ / build_key / "bzImage";
  stored.config = directory_ / build_key / "config";
  return stored;
}

}  // namespace bisect_run::kernel
