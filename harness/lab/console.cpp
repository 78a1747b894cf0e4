#include "lab/console.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <initializer_list>

namespace bisect_run::lab {
namespace {

constexpr std::size_t kLongestLine = 1024;

bool contains_any(std::string_view line, std::initializer_list<std::string_view> words) {
  for (const auto word : words)
    if (line.find(word) != line.npos) return true;
  return false;
}

}  // namespace

std::string printable(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    if (c == '\r') continue;
    const bool plain = (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t';
    out += plain ? c : '?';
  }
  return out;
}

void ConsoleLog::append(std::string_view bytes) {
  size_ += bytes.size();
  tail_ += bytes.substr(bytes.size() > kTail ? bytes.size() - kTail : 0);
  if (tail_.size() > kTail) tail_.erase(0, tail_.size() - kTail);
  while (!bytes.empty()) {
    const auto end = bytes.find('\n');
    line_ += bytes.substr(0, std::min(end, kLongestLine - line_.size()));
    if (end == bytes.npos) break;
    look_at_line(true);
    line_.clear();
    bytes.remove_prefix(end + 1);
  }
  // A panic's line may never get its newline.
  look_at_line(false);
}

void ConsoleLog::look_at_line(bool whole) {
  const auto look = [&](Found& found, std::initializer_list<std::string_view> words) {
    const bool settled = !found.line.empty() && !found.open;
    if (settled || !contains_any(line_, words)) return;
    found = {printable(line_), !whole};
  };
  look(panic_, {"Kernel panic - not syncing"});
  look(oops_,
       {"Oops:", "BUG: ", "general protection fault", "kernel BUG at", "Unable to handle kernel"});
}

std::string ConsoleLog::tail() const {
  return printable(tail_);
}

bool ConsoleFile::poll() {
  std::ifstream in(path_, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(log_.size()));
  const auto before = log_.size();
  std::array<char, 65536> part;
  while (in && !log_.flooded()) {
    in.read(part.data(), part.size());
    log_.append({part.data(), static_cast<std::size_t>(in.gcount())});
  }
  return log_.size() != before;
}

}  // namespace bisect_run::lab
