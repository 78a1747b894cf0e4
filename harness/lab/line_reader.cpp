#include "lab/line_reader.h"

namespace bisect_run::lab {

std::optional<LineReader::Line> LineReader::next() {
  for (;;) {
    const auto end = pending_.find('\n', searched_);
    const bool complete = end != pending_.npos;
    const auto length = (complete ? end : pending_.size()) - begin_;
    const bool overlong = length >= wire::kMaxLine;
    if (!complete && !overlong) {
      // Once for all lines of a helping, or a guest that sends empty ones would cost us minutes.
      pending_.erase(0, begin_);
      begin_ = 0;
      searched_ = pending_.size();
      return std::nullopt;
    }
    Line line{overlong ? std::string() : pending_.substr(begin_, length), overlong};
    begin_ = searched_ = complete ? end + 1 : pending_.size();
    const bool rest = dropping_;
    dropping_ = !complete;
    if (!rest) return line;  // else it is the tail of a line already given as overlong
  }
}

}  // namespace bisect_run::lab
