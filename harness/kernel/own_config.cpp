#include "kernel/own_config.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>

#include <fmt/format.h>

#include "kernel/files.h"
#include "kernel/fragment.h"
#include "model/try.h"

namespace bisect_run::kernel {
namespace {

constexpr std::uintmax_t kMost_bytes = std::uintmax_t{4} << 20;

/// Facts about the tools that wrote the file, not wishes: another compiler gives others.
bool is_fact(std::string_view symbol) {
  constexpr std::array<std::string_view, 9> kPrefixes{
      "CC_", "GCC_", "CLANG_", "AS_", "LD_", "LLD_", "RUSTC_", "PAHOLE_", "TOOLS_SUPPORT_"};
  // The two that are questions all the same, and change the code.
  if (symbol.starts_with("CC_OPTIMIZE_") || symbol.starts_with("CC_STACKPROTECTOR")) return false;
  return std::ranges::any_of(kPrefixes, [&](auto prefix) { return symbol.starts_with(prefix); });
}

/// `CONFIG_X=value` or `# CONFIG_X is not set`; nothing for other lines.
std::optional<ConfigLine> line_of(std::string_view text) {
  constexpr std::string_view kPrefix = "CONFIG_", kOff = " is not set";
  const bool off = text.starts_with("# ") && text.ends_with(kOff);
  if (off) text = text.substr(2, text.size() - 2 - kOff.size());
  if (!text.starts_with(kPrefix)) return std::nullopt;
  text.remove_prefix(kPrefix.size());
  const auto equals = text.find('=');
  if (!off && equals == std::string_view::npos) return std::nullopt;
  ConfigLine line;
  line.symbol = off ? text : text.substr(0, equals);
  line.value = off ? "n" : text.substr(equals + 1);
  line.own = true;
  return line;
}

}  // namespace

Result<std::vector<ConfigLine>> parse_own_config(std::string_view text, std::string_view name) {
  std::vector<ConfigLine> lines;
  for (int number = 1; !text.empty(); ++number) {
    auto row = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), row.size() + 1));
    if (row.ends_with('\r')) row.remove_suffix(1);
    auto line = line_of(row);
    if (!line || is_fact(line->symbol)) continue;
    if (auto fine = check(*line); !fine)
      return std::unexpected(
          in_context(std::move(fine).error(), fmt::format("{}:{}", name, number)));
    lines.push_back(std::move(*line));
  }
  if (lines.empty())
    return fail(ErrorKind::usage,
                fmt::format("{} has no line CONFIG_…=…: it is no .config (one from /proc/config.gz "
                            "must be unpacked first, with zcat)",
                            name));
  return lines;
}

Result<std::vector<ConfigLine>> read_own_config(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    return fail(ErrorKind::usage, fmt::format("there is no file {}", file.string()));
  if (std::filesystem::file_size(file, error) > kMost_bytes)
    return fail(ErrorKind::usage, fmt::format("{} is too large for a .config", file.string()));
  auto text = read_file(file);
  if (!text) return fail(ErrorKind::usage, fmt::format("{}: cannot be read", file.string()));
  return parse_own_config(*text, file.string());
}

std::string lost_own_lines(const std::vector<ConfigLine>& own,
                           const std::vector<LedgerLine>& ledger) {
  constexpr std::size_t kNamed = 6;
  std::unordered_set<std::string_view> theirs;
  for (const auto& line : own) theirs.insert(line.symbol);
  std::size_t lost = 0;
  std::string names;
  for (const auto& line : ledger) {
    if (line.fate == LedgerFate::kept || !theirs.contains(line.symbol)) continue;
    if (++lost <= kNamed)
      names += fmt::format(
          "{}{}={} ({})", names.empty() ? "" : ", ", line.symbol, line.asked,
          line.fate == LedgerFate::unknown_symbol ? "not in this tree" : "became " + line.got);
  }
  if (lost == 0) return {};
  return fmt::format("{} of the {} lines of your .config were not kept: {}{}", lost, own.size(),
                     names, lost > kNamed ? ", …" : "");
}

}  // namespace bisect_run::kernel
