#include "cli/unknown_option.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/manual_parts.h"
#include "git/spelling.h"

namespace bisect_run::cli {
namespace {

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const auto* option : command.get_options())
    for (auto& name : names_of(*option)) names.push_back(std::move(name));
  return names;
}

/// `--budget` of `--budget=3h`, `-q` of `-qx`; empty for a word that is no option.
std::string option_in(std::string_view word) {
  if (word.size() < 2 || word[0] != '-') return {};
  if (word[1] != '-') return std::string(word.substr(0, 2));
  return std::string(word.substr(0, word.find('=')));
}

}  // namespace

std::string unknown_option(const CLI::App& app, int argc, const char* const* argv) {
  const auto chosen = app.get_subcommands();
  const auto known = option_names(chosen.empty() ? app : *chosen.front());
  for (int i = 1; i < argc; ++i) {
    const auto option = option_in(argv[i]);
    if (option == "--") return {};
    if (option.empty() || std::ranges::find(known, option) != known.end()) continue;
    const auto near =
        option.size() > 2 ? git::nearest_names(option, known) : std::vector<std::string>{};
    return fmt::format(
        "unknown option {}{}", option,
        near.empty() ? "" : fmt::format("; did you mean {}?", fmt::join(near, " or ")));
  }
  return {};
}

}  // namespace bisect_run::cli
