#include "cli/help_format.h"

#include <CLI/CLI.hpp>

#include "report/numbers.h"

namespace bisect_run::cli {
namespace {

constexpr std::size_t kColumn = 22;  // of the texts behind the names

class Formatter : public CLI::Formatter {
 public:
  Formatter() {
    label("REQUIRED", "");
    label("Positionals", "What is given by its place");
    label("Subcommands", "Commands");
  }

  /// The library knows only one form of the command line.
  std::string make_usage(const CLI::App* app, std::string name) const override {
    if (!app->get_parent())
      return "Usage: bisect-run [OPTIONS] GOOD BAD\n       bisect-run COMMAND …\n";
    std::string usage = "Usage: bisect-run " + name + " [OPTIONS]";
    for (const auto* option : app->get_options([](const auto* o) { return o->get_positional(); }))
      usage += option->get_required() ? " " + option->get_name(true)
                                      : " [" + option->get_name(true) + "]";
    return usage + "\n";
  }

  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    return in_columns(make_option_name(option, is_positional) + type_of(option),
                      make_option_desc(option) + default_of(option));
  }

  std::string make_subcommand(const CLI::App* command) const override {
    return in_columns(command->get_name(), command->get_description());
  }

 private:
  static std::string type_of(const CLI::Option* option) {
    const auto type = option->get_type_size() != 0 ? option->get_type_name() : "";
    return type.empty() ? "" : " " + type;
  }
  static std::string default_of(const CLI::Option* option) {
    return option->get_default_str().empty() ? "" : " [" + option->get_default_str() + "]";
  }
  static std::string in_columns(const std::string& name, const std::string& text) {
    const std::string left = "  " + name;
    const std::string gap(left.size() + 2 > kColumn ? 0 : kColumn - left.size(), ' ');
    return left + (gap.empty() ? "\n" + std::string(kColumn, ' ') : gap) +
           report::wrapped(text, kColumn) + "\n";
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_format() {
  return std::make_shared<Formatter>();
}

}  // namespace bisect_run::cli
