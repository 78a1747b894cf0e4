#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>

namespace bisect_run::kernel {

/// How large directories were when they were last gone through, kept in a file: a cache of a few
/// source trees takes a second to go through, and much longer after the host has started. A size
/// holds while its stamp does. Whatever is wrong with the file only costs the time again.
class KnownSizes {
 public:
  explicit KnownSizes(std::filesystem::path file);

  /// Bytes of `place`, if it bore this stamp (nanoseconds since the epoch) then.
  std::optional<std::uint64_t> find(const std::filesystem::path& place, std::int64_t stamp) const;
  /// `settled`: nobody is writing into it, so that the size may be kept beyond this process.
  void remember(const std::filesystem::path& place, std::int64_t stamp, std::uint64_t bytes,
                bool settled);
  /// Writes what is new, without what is no longer there. A cache that cannot be written to is
  /// left.
  void keep();

 private:
  struct Known {
    std::int64_t stamp = 0;
    std::uint64_t bytes = 0;
    bool settled = true;
  };
  std::filesystem::path file_;
  std::map<std::filesystem::path, Known> known_;
  bool changed_ = false;
};

}  // namespace bisect_run::kernel
