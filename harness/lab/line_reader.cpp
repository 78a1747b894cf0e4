#include "lab/line_reader.h"

namespace bisect_run::lab {

std::optional<LineReader::Line> LineReader::next() {
  for (;;) {
    const auto end = pending_.find('\n', searched_);
    const bool complete = end != pending_.npos;
    const auto length = complete ? end : pending_.size();
    if (!complete && length < wire::kMaxLine) {
      searched_ = length;
      return std::nullopt;
    }
    Line line{pending_.substr(0, length), length >= wire::kMaxLine};
    pending_.erase(0, complete ? end + 1 : length);
    searched_ = 0;
    const bool rest = dropping_;
    dropping_ = !complete;
    if (rest) continue;  // the tail of a line already given as overlong
    if (line.overlong) line.text.clear();
    if (line.overlong || complete) return line;
  }
}

}  // namespace bisect_run::lab
