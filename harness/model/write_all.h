#pragma once

#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace bisect_run {

/// Writes every byte, whatever interrupts it. Answers 0, or the errno of the write that failed.
inline int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(fd, bytes.data(), bytes.size());
    if (written >= 0)
      bytes.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR)
      return errno;
  }
  return 0;
}

}  // namespace bisect_run
