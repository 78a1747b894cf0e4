#include "git/commit_text.h"

#include <charconv>
#include <optional>

namespace bisect_run::git {
namespace {

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

std::optional<RawId> from_hex(std::string_view hex) {
  RawId id{};
  if (hex.size() != 2 * id.size()) return std::nullopt;
  for (std::size_t i = 0; i < id.size(); ++i) {
    const int high = digit_value(hex[2 * i]);
    const int low = digit_value(hex[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    id[i] = static_cast<unsigned char>(high * 16 + low);
  }
  return id;
}

/// `NAME <MAIL> SECONDS ZONE`: the number behind the last `>`.
std::int64_t seconds_of(std::string_view signature) {
  const auto mail_end = signature.rfind('>');
  if (mail_end == std::string_view::npos) return 0;
  signature.remove_prefix(mail_end + 1);
  while (!signature.empty() && signature.front() == ' ') signature.remove_prefix(1);
  std::int64_t seconds = 0;
  std::from_chars(signature.data(), signature.data() + signature.size(), seconds);
  return seconds;
}

std::string_view take_line(std::string_view& text) {
  const auto end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

}  // namespace

std::string to_hex(const RawId& id) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * id.size());
  for (const unsigned char byte : id) {
    hex += digits[byte >> 4];
    hex += digits[byte & 15];
  }
  return hex;
}

CommitText parse_commit(std::string_view bytes) {
  CommitText commit;
  while (!bytes.empty()) {
    const std::string_view line = take_line(bytes);
    if (line.empty()) break;  // the message follows
    if (line.starts_with("parent ")) {
      if (const auto id = from_hex(line.substr(7))) commit.parents.push_back(*id);
    } else if (line.starts_with("committer ")) {
      commit.commit_time = seconds_of(line);
    }
  }
  while (!bytes.empty() && commit.subject.empty()) commit.subject = take_line(bytes);
  return commit;
}

}  // namespace bisect_run::git
