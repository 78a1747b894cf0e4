#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

// Private to manual.cpp and completion.cpp: what both read from the definitions.

namespace bisect_run::cli {

inline std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

/// Options that are shown: those of an empty group are for programs.
inline std::vector<const CLI::Option*> shown_options(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return !option->get_group().empty(); });
}

/// `--quiet`, `-q`; empty for a positional.
inline std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const auto& name : option.get_lnames()) names.push_back("--" + name);
  for (const auto& name : option.get_snames()) names.push_back("-" + name);
  return names;
}

inline bool takes_value(const CLI::Option& option) {
  return option.get_items_expected_max() > 0;
}

}  // namespace bisect_run::cli
