#include "kernel/build_log.h"

#include "kernel/host_trouble.h"

namespace bisect_run::kernel {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// `  CC      init/main.o`, as Kbuild says what it does since 2.6. A number is gcc's, of a line of
/// source that it shows.
bool is_step(std::string_view text) {
  if (text.size() < 6 || !text.starts_with("  ")) return false;
  const auto word_end = text.find(' ', 2);
  if (word_end == std::string_view::npos || word_end < 4) return false;
  if (text[2] < 'A' || text[2] > 'Z') return false;
  for (const char c : text.substr(2, word_end - 2))
    if ((c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_') return false;
  return true;
}

bool is_error(std::string_view text) {
  for (const std::string_view sign :
       {": error: ", ": fatal error: ", ": Error: ", "undefined reference to ",
        "multiple definition of ", "ERROR: modpost: ", ": syntax error", "can't open file ",
        "recursive dependency detected", "ld: cannot find ", "section type conflict",
        "error: objtool"})
    if (contains(text, sign)) return true;
  return text.starts_with("ERROR: ") || text.starts_with("error: ") || text.starts_with("*** ");
}

/// What ld, ar, objtool and make say of objects, archives and notes that are no such thing.
bool is_damage(std::string_view text) {
  for (const std::string_view sign :
       {"file not recognized", "file format not recognized", "file truncated", "malformed archive",
        "can't read ELF", "elf_begin: ", "is not an object file"})
    if (contains(text, sign)) return true;
  const bool of_kbuild = contains(text, ".cmd:") || contains(text, "/auto.conf");
  return of_kbuild && contains(text, " *** ");
}

}  // namespace

void BuildLog::line(std::string_view text) {
  if (is_step(text)) {
    ++steps_;
    last_step_ = without_tree(text.substr(2));
    return;
  }
  if (text.empty()) return;
  last_line_ = text;
  if (error_.empty() && is_error(text)) error_ = text;
  if (make_error_.empty() && contains(text, ": *** ")) make_error_ = text;
  damaged_ = damaged_ || is_damage(text);
  if (host_trouble_.empty()) host_trouble_ = host_trouble_in(text);
}

std::string BuildLog::first_error() const {
  for (const auto* candidate : {&error_, &make_error_, &last_line_})
    if (!candidate->empty()) return without_tree(*candidate);
  return {};
}

std::string BuildLog::without_tree(std::string_view text) const {
  std::string shorter(text);
  if (tree_.empty()) return shorter;
  const auto prefix = tree_ + "/";
  for (auto at = shorter.find(prefix); at != std::string::npos; at = shorter.find(prefix, at))
    shorter.erase(at, prefix.size());
  return shorter;
}

}  // namespace bisect_run::kernel
