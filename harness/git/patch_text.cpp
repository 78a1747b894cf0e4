#include "git/patch_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "git/patch_path.h"
#include "model/try.h"

namespace bisect_run::git {
namespace {

constexpr std::string_view no_file = "/dev/null";

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  const bool carriage_returns =
      std::ranges::all_of(lines, [](std::string_view line) { return line.ends_with('\r'); });
  if (carriage_returns)  // a mail saved with the line ends of the wire
    for (auto& line : lines) line.remove_suffix(1);
  return lines;
}

bool take_number(std::string_view& text, std::int64_t& number) {
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || number < 0) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// `-12,7` or `-12`.
bool take_span(std::string_view& text, char sign, std::int64_t& start, std::int64_t& count) {
  if (!take(text, {&sign, 1}) || !take_number(text, start)) return false;
  count = 1;
  return !take(text, ",") || take_number(text, count);
}

std::optional<Hunk> hunk_header(std::string_view line) {
  Hunk hunk;
  hunk.header = line;
  if (!take(line, "@@ ") || !take_span(line, '-', hunk.old_start, hunk.old_count) ||
      !take(line, " ") || !take_span(line, '+', hunk.new_start, hunk.new_count) ||
      !take(line, " @@"))
    return std::nullopt;
  return hunk;
}

/// What git knows beside directories: files, programs, symbolic links, and submodules.
std::optional<std::uint32_t> mode_of(std::string_view octal) {
  std::uint32_t mode = 0;
  const auto [end, fault] = std::from_chars(octal.data(), octal.data() + octal.size(), mode, 8);
  const bool known = mode == 0100644 || mode == 0100755 || mode == 0120000 || mode == 0160000;
  return fault == std::errc() && known ? std::optional(mode) : std::nullopt;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : lines_(lines_of(text)) {}

  Result<std::vector<FileChange>> read() {
    std::vector<FileChange> changes;
    std::size_t part = 0;
    while (!at_end()) {
      if (!line().starts_with("diff --git ") && !plain_header_here()) {
        BR_TRY(check_text());
        ++at_;
        ++part;
        continue;
      }
      FileChange change;
      if (line().starts_with("diff --git ")) {
        BR_TRY_ASSIGN(change, git_change());
      } else {
        BR_TRY(names_and_hunks(change));
      }
      change.part = part;
      changes.push_back(std::move(change));
    }
    if (changes.empty()) return fail(ErrorKind::usage, "no change in it: is this a patch?");
    return changes;
  }

 private:
  bool at_end() const { return at_ >= lines_.size(); }
  std::string_view line(std::size_t ahead = 0) const {
    return at_ + ahead < lines_.size() ? lines_[at_ + ahead] : std::string_view{};
  }
  std::unexpected<Error> fault(std::string_view what) const {
    return fail(ErrorKind::usage,
                fmt::format("line {} {}", std::min(at_, lines_.size()) + 1, what));
  }
  bool plain_header_here() const {
    return line().starts_with("--- ") && line(1).starts_with("+++ ") && hunk_header(line(2));
  }

  /// What belongs to no diff must not be a piece of one: the rest would be applied without it.
  Status check_text() const {
    if (line().starts_with("Content-Transfer-Encoding:")) return check_encoding();
    if (line().starts_with("diff --cc ") || line().starts_with("diff --combined "))
      return fault("is the combined diff of a merge; give a diff against one parent");
    if (line().starts_with("Binary files ") && line().ends_with(" differ"))
      return fault("is a binary change; only text can be patched");
    if (hunk_header(line()))
      return fault("is a hunk that does not follow the names of its file: damaged by hand?");
    return {};
  }

  Status check_encoding() const {
    std::string word(line().substr(line().find(':') + 1));
    std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
    if (word.find("quoted-printable") == word.npos && word.find("base64") == word.npos) return {};
    return fault("says that the mail is encoded; save it as plain text, for instance with b4 am");
  }

  Result<FileChange> git_change();
  Status extended_header(FileChange& change, bool& known);
  Status names_and_hunks(FileChange& change);
  Status hunks(FileChange& change);
  Status hunk_lines(Hunk& hunk);

  std::vector<std::string_view> lines_;
  std::size_t at_ = 0;
};

Result<FileChange> Reader::git_change() {
  FileChange change;
  const std::string_view names = line().substr(std::string_view("diff --git ").size());
  ++at_;
  for (bool known = true; known && !at_end();) BR_TRY(extended_header(change, known));
  const bool moves =
      change.kind == FileChange::Kind::rename || change.kind == FileChange::Kind::copy;
  if (moves && (change.old_path.empty() || change.new_path.empty()))
    return fault("is where a rename or copy lacks one of its two names");
  if (line().starts_with("--- ") && line(1).starts_with("+++ ")) {
    BR_TRY(names_and_hunks(change));
    return change;
  }
  if (change.old_path.empty() && change.new_path.empty()) {
    BR_TRY_ASSIGN(const std::string path, path_of_git_header(names));
    if (change.kind != FileChange::Kind::add) change.old_path = path;
    if (change.kind != FileChange::Kind::remove) change.new_path = path;
  }
  return change;
}

/// One line between `diff --git` and the names: sets `known` to false at the first that is none.
Status Reader::extended_header(FileChange& change, bool& known) {
  using Kind = FileChange::Kind;
  std::string_view text = line();
  bool says_mode = false;
  const auto mode = [&](std::string_view prefix) {
    says_mode = take(text, prefix);
    if (says_mode) change.mode = mode_of(text);
    return says_mode;
  };
  if (text.starts_with("GIT binary patch") || text.starts_with("Binary files "))
    return fault("is a binary change; only text can be patched");
  if (mode("new file mode ")) {
    change.kind = Kind::add;
  } else if (mode("deleted file mode ")) {
    change.kind = Kind::remove;
  } else if (mode("new mode ")) {
    // Said of the file as it is called afterwards.
  } else if (take(text, "rename from ") || take(text, "copy from ")) {
    change.kind = line().starts_with("rename") ? Kind::rename : Kind::copy;
    BR_TRY_ASSIGN(change.old_path, clean_path(text, 0));
  } else if (take(text, "rename to ") || take(text, "copy to ")) {
    change.kind = line().starts_with("rename") ? Kind::rename : Kind::copy;
    BR_TRY_ASSIGN(change.new_path, clean_path(text, 0));
  } else if (!text.starts_with("index ") && !text.starts_with("old mode ") &&
             !text.starts_with("similarity index ") && !text.starts_with("dissimilarity index ")) {
    known = false;
    return {};
  }
  if (says_mode && !change.mode) return fault("gives a mode that no file has");
  if (change.mode == 0160000) return fault("changes a submodule");
  ++at_;
  return {};
}

Status Reader::names_and_hunks(FileChange& change) {
  using Kind = FileChange::Kind;
  const bool dated_added = says_no_file(line().substr(4));
  const bool dated_removed = says_no_file(line(1).substr(4));
  const std::string_view old_name = header_name(line().substr(4));
  const std::string_view new_name = header_name(line(1).substr(4));
  if (old_name == no_file && new_name == no_file) return fault("names no file");
  if (old_name == no_file) change.kind = Kind::add;
  if (new_name == no_file) change.kind = Kind::remove;
  if (change.kind != Kind::rename && change.kind != Kind::copy) {
    if (change.kind != Kind::remove) {
      BR_TRY_ASSIGN(change.new_path, clean_path(new_name, 1));
    } else {
      BR_TRY_ASSIGN(change.old_path, clean_path(old_name, 1));
    }
    // Plain diffs may call the old side file.orig; the new name is the one that counts.
    if (change.kind == Kind::modify) change.old_path = change.new_path;
  }
  at_ += 2;
  BR_TRY(hunks(change));
  if (change.kind != Kind::modify || change.hunks.size() != 1) return {};
  const Hunk& hunk = change.hunks.front();
  if (dated_added && hunk.old_start == 0 && hunk.old_count == 0) {
    change.kind = Kind::add;
    change.old_path.clear();
  } else if (dated_removed && hunk.new_start == 0 && hunk.new_count == 0) {
    change.kind = Kind::remove;
    change.new_path.clear();
  }
  return {};
}

Status Reader::hunks(FileChange& change) {
  while (line().starts_with("@@ ")) {
    auto hunk = hunk_header(line());
    if (!hunk) return fault("is no hunk header that can be read");
    ++at_;
    BR_TRY(hunk_lines(*hunk));
    const bool more = line().starts_with(' ') || line().starts_with('+') ||
                      (line().starts_with('-') && !line().starts_with("--"));
    if (more) return fault("is one too many for " + hunk->header);
    change.hunks.push_back(std::move(*hunk));
  }
  return {};
}

Status Reader::hunk_lines(Hunk& hunk) {
  using Kind = HunkLine::Kind;
  std::int64_t old_left = hunk.old_count;
  std::int64_t new_left = hunk.new_count;
  while (old_left > 0 || new_left > 0) {
    if (at_end()) return fault("is missing: the patch is cut off in " + hunk.header);
    const std::string_view text = line();
    // Mail programs eat the blank of an empty context line.
    const char sign = text.empty() ? ' ' : text.front();
    if (sign != ' ' && sign != '-' && sign != '+' && sign != '\\')
      return fault("does not belong into " + hunk.header + ": damaged by a mail program?");
    if ((sign == '-' && old_left == 0) || (sign == '+' && new_left == 0) ||
        (sign == ' ' && (old_left == 0 || new_left == 0)))
      return fault("is one too many for " + hunk.header);
    ++at_;
    if (sign == '\\') {  // No newline at end of file: said of the line before
      if (!hunk.lines.empty() && hunk.lines.back().text.ends_with('\n'))
        hunk.lines.back().text.pop_back();
      continue;
    }
    if (sign != '+') --old_left;
    if (sign != '-') --new_left;
    const Kind kind = sign == ' ' ? Kind::context : sign == '-' ? Kind::remove : Kind::add;
    hunk.lines.push_back({kind, std::string(text.substr(text.empty() ? 0 : 1)) + '\n'});
  }
  if (line().starts_with("\\ ") && !hunk.lines.empty()) {
    hunk.lines.back().text.pop_back();
    ++at_;
  }
  return {};
}

}  // namespace

Result<std::vector<FileChange>> parse_patch(std::string_view text) {
  return Reader(text).read();
}

}  // namespace bisect_run::git
