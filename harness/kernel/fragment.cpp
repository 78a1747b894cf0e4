#include "kernel/fragment.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

namespace bisect_run::kernel {

std::vector<ConfigLine> merge(const std::vector<ConfigLine>& base,
                              const std::vector<ConfigLine>& over) {
  std::vector<ConfigLine> merged;
  std::unordered_map<std::string_view, std::size_t> places;
  for (const auto* lines : {&base, &over})
    for (const auto& line : *lines) {
      const auto [place, is_new] = places.emplace(line.symbol, merged.size());
      if (is_new) {
        merged.push_back(line);
      } else {
        auto& same = merged[place->second];
        same.value = line.value;
        // Of two musts the stricter one counts, which holds in trees without the symbol as well.
        const bool strict = (same.must && !same.where_known) || (line.must && !line.where_known);
        same.must = same.must || line.must;
        same.where_known = same.must && !strict;
      }
    }
  return merged;
}

std::vector<ConfigLine> asked_lines(const Recipe& recipe, const std::vector<ConfigLine>& variant) {
  if (recipe.own_config.empty()) return merge(recipe.config, variant);
  std::vector<ConfigLine> ours;
  std::ranges::copy_if(recipe.config, std::back_inserter(ours),
                       [](const ConfigLine& line) { return line.must || line.pinned; });
  ours = merge(ours, variant);
  std::unordered_set<std::string_view> asked;
  for (const auto& line : ours) asked.insert(line.symbol);
  std::vector<ConfigLine> lines;
  std::ranges::copy_if(recipe.own_config, std::back_inserter(lines),
                       [&](const ConfigLine& line) { return !asked.contains(line.symbol); });
  return merge(lines, ours);
}

std::string fragment_text(const std::vector<ConfigLine>& lines) {
  std::string text;
  for (const auto& line : lines)
    text += line.value == "n" ? fmt::format("# CONFIG_{} is not set\n", line.symbol)
                              : fmt::format("CONFIG_{}={}\n", line.symbol, line.value);
  return text;
}

Status check(const ConfigLine& line) {
  const auto word = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  if (line.symbol.empty() || !std::ranges::all_of(line.symbol, word) ||
      line.symbol.starts_with("CONFIG_"))
    return fail(ErrorKind::usage,
                fmt::format("`{}` is no config symbol; write it without CONFIG_", line.symbol));
  const auto control = [](unsigned char c) { return std::iscntrl(c) != 0; };
  if (line.value.empty() || std::ranges::any_of(line.value, control))
    return fail(ErrorKind::usage, fmt::format("config symbol {} has a value that does not fit on "
                                              "one line of .config",
                                              line.symbol));
  return {};
}

}  // namespace bisect_run::kernel
