#include "kernel/kconfig.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "kernel/stranger_file.h"
#include "wire/digest.h"

namespace bisect_run::kernel {
namespace {

/// A tree that sources more files than this goes in circles.
constexpr std::size_t kMostFiles = 20000;

std::size_t indent_of(std::string_view line) {
  std::size_t column = 0;
  for (const char c : line) {
    if (c == '\t')
      column = (column / 8 + 1) * 8;
    else if (c == ' ')
      ++column;
    else
      break;
  }
  return column;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// What follows `keyword` and white space, or nothing.
std::optional<std::string_view> after(std::string_view line, std::string_view keyword) {
  if (!line.starts_with(keyword)) return std::nullopt;
  line.remove_prefix(keyword.size());
  if (line.empty() || (line[0] != ' ' && line[0] != '\t')) return std::nullopt;
  return trimmed(line);
}

bool is_symbol(std::string_view word) {
  return !word.empty() && word.find_first_not_of(
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                              "0123456789_") == std::string_view::npos;
}

bool starts_help(std::string_view line) {
  // `---help---` until 4.20.
  return line == "help" || line.starts_with("---help---") || line.starts_with("--- help ---");
}

/// A sourced name with this architecture's words filled in.
std::string resolved(std::string_view name) {
  std::string text(name);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    text = text.substr(1, text.size() - 2);
  for (const std::string_view variable :
       {"$(SRCARCH)", "$SRCARCH", "$(ARCH)", "$ARCH", "$(srctree)/"})
    if (const auto at = text.find(variable); at != std::string::npos)
      text.replace(at, variable.size(), variable == "$(srctree)/" ? "" : "x86");
  return text;
}

}  // namespace

void scan_kconfig(std::string_view text, std::set<std::string, std::less<>>& symbols,
                  std::vector<std::string>& sources) {
  bool in_help = false;
  std::size_t help_indent = 0;  // 0: its first line is still to come
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto raw = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    auto line = trimmed(raw);
    if (line.empty()) continue;
    if (in_help) {
      // Kconfig's own rule: help goes on while lines stand at least as far in as its first one.
      const auto indent = indent_of(raw);
      if (help_indent == 0) help_indent = indent;
      if (indent >= help_indent && indent > 0) continue;
      in_help = false;
    }
    if (starts_help(line)) {
      in_help = true;
      help_indent = 0;
      continue;
    }
    line = trimmed(line.substr(0, line.find('#')));
    for (const std::string_view keyword : {"config", "menuconfig"})
      if (const auto name = after(line, keyword); name && is_symbol(*name)) symbols.emplace(*name);
    if (const auto name = after(line, "source")) sources.push_back(resolved(*name));
  }
}

Result<Kconfig> read_kconfig(const std::filesystem::path& tree) {
  Kconfig kconfig;
  wire::Digest digest;
  // Before 2.6.39 kconfig started at the architecture's own file.
  std::vector<std::string> to_read = {"Kconfig"};
  std::error_code ignored;
  if (!std::filesystem::exists(tree / "Kconfig", ignored)) to_read = {"arch/x86/Kconfig"};
  std::set<std::string> seen;
  bool any = false;
  while (!to_read.empty() && seen.size() < kMostFiles) {
    const auto name = std::move(to_read.back());
    to_read.pop_back();
    if (!seen.insert(name).second) continue;
    const auto text = read_below(tree, name);
    digest.add(name).add(text ? *text : "");
    if (!text) continue;
    any = true;
    std::vector<std::string> sources;
    scan_kconfig(*text, kconfig.symbols, sources);
    std::ranges::move(sources, std::back_inserter(to_read));
  }
  if (!any)
    return fail(ErrorKind::skip_build,
                "there is no Kconfig in this tree: it is no Linux kernel source");
  kconfig.digest = digest.hex();
  return kconfig;
}

}  // namespace bisect_run::kernel
