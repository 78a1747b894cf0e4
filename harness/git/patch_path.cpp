#include "git/patch_path.h"

#include <fmt/format.h>
#include <strings.h>

#include <cstdio>
#include <optional>

#include "model/try.h"

namespace bisect_run::git {
namespace {

/// git's C quoting: \n, \t, \\, \", \ooo …
std::optional<std::string> unquoted(std::string_view name) {
  if (!name.starts_with('"')) return std::string(name);
  if (name.size() < 2 || !name.ends_with('"')) return std::nullopt;
  name = name.substr(1, name.size() - 2);
  constexpr std::string_view letters = "abfnrtv\\\"";
  constexpr std::string_view meanings = "\a\b\f\n\r\t\v\\\"";
  std::string plain;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '\\') {
      plain += name[i];
      continue;
    }
    if (++i == name.size()) return std::nullopt;
    if (const auto place = letters.find(name[i]); place != letters.npos) {
      plain += meanings[place];
      continue;
    }
    int value = 0;
    for (const char digit : name.substr(i, 3)) {
      if (digit < '0' || digit > '7') return std::nullopt;
      value = value * 8 + (digit - '0');
    }
    if (i + 3 > name.size() || value > 255) return std::nullopt;
    plain += static_cast<char>(value);
    i += 2;
  }
  return plain;
}

bool inside_tree(std::string_view path) {
  if (path.empty() || path.find('\0') != path.npos) return false;
  while (true) {
    const auto slash = path.find('/');
    const std::string part(path.substr(0, slash));
    if (part.empty() || part == "." || part == ".." || strcasecmp(part.c_str(), ".git") == 0)
      return false;
    if (slash == path.npos) return true;
    path.remove_prefix(slash + 1);
  }
}

}  // namespace

std::string_view header_name(std::string_view rest_of_line) {
  const std::string_view name = rest_of_line.substr(0, rest_of_line.find('\t'));
  return name.substr(0, name.find_last_not_of(' ') + 1);
}

bool says_no_file(std::string_view rest_of_line) {
  const auto tab = rest_of_line.find('\t');
  if (tab == rest_of_line.npos) return false;
  const std::string time(rest_of_line.substr(tab + 1));
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, zone = 0, read = 0;
  if (std::sscanf(time.c_str(), "%4d-%2d-%2d %2d:%2d:00%n", &year, &month, &day, &hour, &minute,
                  &read) != 5 ||
      read == 0)
    return false;
  const auto rest = time.find_first_not_of(".0 ", static_cast<std::size_t>(read));
  if (rest == time.npos || std::sscanf(time.c_str() + rest, "%5d", &zone) != 1) return false;
  const bool same_day = year == 1970 && month == 1 && day == 1;
  const bool day_before = year == 1969 && month == 12 && day == 31;
  const int minutes = hour * 60 + minute - (day_before ? 24 * 60 : 0);
  return (same_day || day_before) && minutes == zone / 100 * 60 + zone % 100;
}

Result<std::string> clean_path(std::string_view name, int strip) {
  auto path = unquoted(name);
  if (!path) return fail(ErrorKind::usage, fmt::format("the path {} cannot be read", name));
  for (; strip > 0; --strip) {
    const auto slash = path->find('/');
    if (slash == path->npos)
      return fail(ErrorKind::usage,
                  fmt::format("the path {} has no leading a/ or b/ (make the patch with git diff, "
                              "or with diff -u from one level above the tree)",
                              name));
    path->erase(0, slash + 1);
  }
  if (!inside_tree(*path))
    return fail(ErrorKind::usage, fmt::format("the path {} leaves the source tree", name));
  return *path;
}

Result<std::string> path_of_git_header(std::string_view names) {
  for (auto split = names.find(' '); split != names.npos; split = names.find(' ', split + 1)) {
    const auto left = clean_path(names.substr(0, split), 1);
    const auto right = clean_path(names.substr(split + 1), 1);
    if (left && right && *left == *right) return *left;
  }
  // Both the same but outside the tree: say that instead.
  const auto left = clean_path(names.substr(0, names.find(' ')), 1);
  if (!left) return std::unexpected(left.error());
  return fail(ErrorKind::usage, fmt::format("'diff --git {}' names two different files", names));
}

}  // namespace bisect_run::git
