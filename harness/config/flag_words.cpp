#include "config/flag_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/try.h"

namespace bisect_run::config {
namespace {

/// The make variables whose value is a command or a list of flags, so that remedies add to them.
constexpr std::array<std::string_view, 5> kFlagVariables{"CC", "HOSTCC", "KCPPFLAGS", "KAFLAGS",
                                                         "KCFLAGS"};

}  // namespace

Status check_braces(const Cursor& value, std::string text) {
  for (const std::string_view known : {"{remedies}", "{make-cmd}"})
    for (auto at = text.find(known); at != std::string::npos; at = text.find(known))
      text.erase(at, known.size());
  if (text.find_first_of("{}") == std::string::npos) return {};
  return std::unexpected(value.fault("only {remedies} and {make-cmd} are replaced here"));
}

bool takes_flags(std::string_view variable) {
  return std::ranges::find(kFlagVariables, variable) != kFlagVariables.end();
}

Result<FlagWords> flag_words(const Cursor& map) {
  BR_TRY_ASSIGN(const auto entries, map.entries());
  FlagWords all;
  for (const auto& [key, value] : entries) {
    if (!takes_flags(key.text))
      return std::unexpected(
          map.fault_at_key(key, fmt::format("flags cannot be added to '{:.40}'{}", key.text,
                                            hint(key.text, kFlagVariables))));
    BR_TRY_ASSIGN(const auto items, value.list());
    for (const Cursor& item : items) {
      BR_TRY_ASSIGN(auto word, item.text());
      if (word.find(' ') != std::string::npos)
        return std::unexpected(item.fault("one flag an item, without spaces; split it"));
      BR_TRY(check_braces(item, word));
      all[key.text].push_back(std::move(word));
    }
  }
  return all;
}

}  // namespace bisect_run::config
