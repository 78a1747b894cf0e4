#include "process/output.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "model/write_all.h"

namespace bisect_run::process {

Output::Output(UniqueFd log, std::size_t log_limit, std::size_t tail_bytes, const OnLine& on_line)
    : log_(std::move(log)), log_left_(log_limit), tail_bytes_(tail_bytes), on_line_(on_line) {}

void Output::take(std::string_view bytes) {
  write_log(bytes);
  keep_tail(bytes);
  if (on_line_) split_lines(bytes);
}

void Output::finish() {
  if (std::exchange(line_open_, false) && on_line_) on_line_(line_);
  line_.clear();
}

std::string Output::tail() const {
  return tail_.size() <= tail_bytes_ ? tail_ : tail_.substr(tail_.size() - tail_bytes_);
}

void Output::write_log(std::string_view bytes) {
  if (!log_ || log_error_ != 0 || log_left_ == 0) return;
  const auto fits = bytes.substr(0, log_left_);
  log_error_ = write_all(log_.get(), fits);
  log_left_ -= fits.size();
  if (log_left_ == 0 && log_error_ == 0)
    log_error_ = write_all(log_.get(), "\n[the log ends here: its limit is reached]\n");
}

void Output::keep_tail(std::string_view bytes) {
  if (bytes.size() > tail_bytes_) bytes.remove_prefix(bytes.size() - tail_bytes_);
  tail_ += bytes;
  // Cut only now and then, so that each byte is moved once on average.
  if (tail_.size() > 2 * tail_bytes_) tail_.erase(0, tail_.size() - tail_bytes_);
}

void Output::split_lines(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto end = bytes.find('\n');
    const auto piece = bytes.substr(0, end);
    line_ += piece.substr(0, kLongestLine - std::min(line_.size(), kLongestLine));
    line_open_ = true;
    if (end == std::string_view::npos) return;
    finish();
    bytes.remove_prefix(end + 1);
  }
}

}  // namespace bisect_run::process
