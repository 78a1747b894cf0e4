#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace bisect_run::lab {

/// What a kernel has said, byte by byte as it grows: how much, how it ended, whether it broke.
class ConsoleLog {
 public:
  static constexpr std::size_t kTail = 4096;
  static constexpr std::uint64_t kFlood = 16 * 1024 * 1024;

  void append(std::string_view bytes);

  std::uint64_t size() const { return size_; }
  /// A guest that writes without end would fill the host's disk.
  bool flooded() const { return size_ > kFlood; }
  /// The first line of a panic or of an oops, printable; empty without one.
  const std::string& panic() const { return panic_.line; }
  const std::string& oops() const { return oops_.line; }
  /// The last bytes, made printable.
  std::string tail() const;

 private:
  struct Found {
    std::string line;   ///< printable
    bool open = false;  ///< it has not ended yet, and grows
  };
  void look_at_line(bool whole);

  std::uint64_t size_ = 0;
  std::string tail_, line_;
  Found panic_, oops_;
};

/// Follows the file that QEMU writes.
class ConsoleFile {
 public:
  explicit ConsoleFile(std::filesystem::path path) : path_(std::move(path)) {}

  /// Reads what is new, at most a little more than the flood limit in all. True if it grew.
  bool poll();
  const ConsoleLog& log() const { return log_; }

 private:
  std::filesystem::path path_;
  ConsoleLog log_;
};

/// Text for a terminal: newlines and tabs stay, other control characters and bytes that are no
/// ASCII become '?', carriage returns go.
std::string printable(std::string_view bytes);

}  // namespace bisect_run::lab
