#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "wire/messages.h"

namespace bisect_run::lab {

/// Cuts bytes into lines of at most wire::kMaxLine. A longer line is given as overlong, once, and
/// its rest is dropped; memory stays bounded.
class LineReader {
 public:
  struct Line {
    std::string text;  ///< without its newline
    bool overlong = false;
  };

  void feed(std::string_view bytes) { pending_ += bytes; }
  std::optional<Line> next();

 private:
  std::string pending_;
  std::size_t begin_ = 0,
              searched_ = 0;  ///< of the first line not given, and of what was not looked at
  bool dropping_ = false;
};

}  // namespace bisect_run::lab
