#include "git/patch_apply.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace bisect_run::git {
namespace {

using Lines = std::vector<std::string_view>;
using Kind = HunkLine::Kind;

Lines lines_with_ends(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto size = end == std::string_view::npos ? text.size() : end + 1;
    lines.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return lines;
}

Lines side_of(const Hunk& hunk, Kind without) {
  Lines side;
  for (const HunkLine& line : hunk.lines)
    if (line.kind != without) side.push_back(line.text);
  return side;
}

struct Anchors {
  bool begin = false;  ///< the hunk must stand at the first line
  bool end = false;    ///< … and at the last
};

/// Without context on one side, a hunk belongs to that end of the file.
Anchors anchors_of(const Hunk& hunk) {
  return {.begin = hunk.old_start <= 1,
          .end = hunk.lines.empty() || hunk.lines.back().kind != Kind::context};
}

/// The place of `wanted` at or after `floor`, nearest to `expected`, later ones first.
std::optional<std::size_t> find_lines(const Lines& file, const Lines& wanted, std::size_t floor,
                                      std::int64_t expected, Anchors anchors) {
  if (wanted.size() > file.size()) return std::nullopt;
  const std::size_t last = file.size() - wanted.size();
  const auto fits = [&](std::size_t at) {
    return at >= floor && at <= last && !(anchors.begin && at != 0) &&
           !(anchors.end && at != last) &&
           std::equal(wanted.begin(), wanted.end(), file.begin() + static_cast<std::ptrdiff_t>(at));
  };
  const auto start = static_cast<std::size_t>(
      std::clamp<std::int64_t>(expected, 0, static_cast<std::int64_t>(file.size())));
  for (std::size_t distance = 0; distance <= file.size(); ++distance) {
    if (fits(start + distance)) return start + distance;
    if (distance > 0 && distance <= start && fits(start - distance)) return start - distance;
  }
  return std::nullopt;
}

struct Fuzzy {
  std::size_t fuzz = 0;  ///< context lines left out at each end
  std::size_t line = 0;  ///< where the hunk would start, from 1
};

/// How patch(1) would make the hunk fit, by looking away from its outermost context.
std::optional<Fuzzy> fit_with_fuzz(const Hunk& hunk, const Lines& file) {
  constexpr std::size_t kMostFuzz = 2;
  const auto is_context = [](const HunkLine& line) { return line.kind == Kind::context; };
  const Lines side = side_of(hunk, Kind::add);
  const auto leading = static_cast<std::size_t>(std::ranges::find_if_not(hunk.lines, is_context) -
                                                hunk.lines.begin());
  const auto trailing = static_cast<std::size_t>(
      std::find_if_not(hunk.lines.rbegin(), hunk.lines.rend(), is_context) - hunk.lines.rbegin());
  for (std::size_t fuzz = 1; fuzz <= kMostFuzz; ++fuzz) {
    const auto front = std::min(fuzz, leading), back = std::min(fuzz, trailing);
    if (front + back == 0 || front + back >= side.size()) return std::nullopt;
    const Lines rest(side.begin() + static_cast<std::ptrdiff_t>(front),
                     side.end() - static_cast<std::ptrdiff_t>(back));
    if (const auto at = find_lines(file, rest, 0, hunk.old_start - 1, {}))
      return Fuzzy{fuzz, *at + 1 - std::min(front, *at)};
  }
  return std::nullopt;
}

/// What a person can do about a hunk that does not fit.
std::string hint_for(const FileChange& change, const Hunk& hunk, const Lines& file) {
  const Lines after = side_of(hunk, Kind::remove);
  if (!after.empty() && find_lines(file, after, 0, hunk.new_start - 1, {}))
    return "; its result is there already: applied before?";
  if (const auto fuzzy = fit_with_fuzz(hunk, file))
    return fmt::format(
        "; with fuzz {} it would at line {} of {}, but what stands around it has "
        "changed: make the patch anew on this commit",
        fuzzy->fuzz, fuzzy->line, change.old_path);
  return {};
}

std::unexpected<Error> conflict(const FileChange& change, const Hunk& hunk, const Lines& file) {
  const auto number = static_cast<std::size_t>(&hunk - change.hunks.data()) + 1;
  return fail(ErrorKind::usage,
              fmt::format("{}: hunk {} of {} ({}) does not fit{}", change.path(), number,
                          change.hunks.size(), hunk.header, hint_for(change, hunk, file)));
}

}  // namespace

Result<std::string> apply_hunks(std::string_view original, const FileChange& change) {
  const Lines file = lines_with_ends(original);
  std::string result;
  result.reserve(original.size());
  std::size_t done = 0;     // lines of `file` that are dealt with
  std::int64_t growth = 0;  // lines of the result so far, minus `done`
  for (const Hunk& hunk : change.hunks) {
    const auto at = find_lines(file, side_of(hunk, Kind::add), done, hunk.new_start - 1 - growth,
                               anchors_of(hunk));
    if (!at) return conflict(change, hunk, file);
    for (; done < *at; ++done) result += file[done];
    for (const HunkLine& line : hunk.lines) {
      // What is kept and what is added; what is removed is passed over.
      if (line.kind != Kind::remove) result += line.text;
      if (line.kind != Kind::add) ++done;
      growth += line.kind == Kind::add ? 1 : line.kind == Kind::remove ? -1 : 0;
    }
  }
  for (; done < file.size(); ++done) result += file[done];
  return result;
}

}  // namespace bisect_run::git
