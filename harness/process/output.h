#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "model/unique_fd.h"

namespace bisect_run::process {

/// Where the bytes of a child go: the log, the tail kept in memory, and lines for a listener.
/// Memory stays bounded whatever arrives.
class Output {
 public:
  using OnLine = std::function<void(std::string_view)>;
  static constexpr std::size_t kLongestLine = 4096;

  /// `log` may be none. `on_line` must outlive this.
  Output(UniqueFd log, std::size_t log_limit, std::size_t tail_bytes, const OnLine& on_line);

  void take(std::string_view bytes);
  /// Hands out a last line without an end.
  void finish();

  std::string tail() const;
  int log_error() const { return log_error_; }

 private:
  void write_log(std::string_view bytes);
  void keep_tail(std::string_view bytes);
  void split_lines(std::string_view bytes);

  UniqueFd log_;
  std::size_t log_left_, tail_bytes_;
  const OnLine& on_line_;
  std::string tail_;
  std::string line_;
  bool line_open_ = false;
  int log_error_ = 0;
};

}  // namespace bisect_run::process
