#include "kernel/known_sizes.h"

#include <fmt/format.h>

#include <sstream>
#include <string>
#include <utility>

#include "kernel/files.h"

namespace bisect_run::kernel {
namespace fs = std::filesystem;

// A line each: stamp, bytes, path.
KnownSizes::KnownSizes(fs::path file) : file_(std::move(file)) {
  std::error_code error;
  if (!fs::exists(file_, error)) return;
  std::istringstream lines(read_file(file_).value_or(""));
  Known known;
  std::string path;
  while (lines >> known.stamp >> known.bytes && lines.get() == ' ' && std::getline(lines, path))
    known_[path] = known;
}

std::optional<std::uint64_t> KnownSizes::find(const fs::path& place, std::int64_t stamp) const {
  const auto found = known_.find(place);
  if (found == known_.end() || found->second.stamp != stamp) return std::nullopt;
  return found->second.bytes;
}

void KnownSizes::remember(const fs::path& place, std::int64_t stamp, std::uint64_t bytes,
                          bool settled) {
  // In the file, a name with a newline in it would be another line.
  settled = settled && place.native().find('\n') == std::string::npos;
  known_[place] = {stamp, bytes, settled};
  changed_ = changed_ || settled;
}

void KnownSizes::keep() {
  if (!changed_) return;
  std::string text;
  std::error_code error;
  for (const auto& [place, known] : known_)
    if (known.settled && fs::exists(place, error))
      text += fmt::format("{} {} {}\n", known.stamp, known.bytes, place.native());
  changed_ = !write_file(file_, text).has_value();
}

}  // namespace bisect_run::kernel
