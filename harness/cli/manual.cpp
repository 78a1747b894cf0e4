#include "cli/manual.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/host_facts.h"
#include "cli/manual_parts.h"

namespace bisect_run::cli {
namespace {

/// A text that troff prints as it is.
std::string roff(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\\')
      safe += "\\e";
    else if (c == '-')
      safe += "\\-";
    else
      safe += c;
  }
  if (safe.starts_with('.') || safe.starts_with('\'')) safe.insert(0, "\\&");
  return safe;
}

std::string options_text(const CLI::App& app) {
  std::string text;
  for (const auto* option : shown_options(app)) {
    const auto names = names_of(*option);
    auto head = names.empty() ? option->get_name(true) : fmt::format("{}", fmt::join(names, ", "));
    text += fmt::format(".TP\n\\fB{}\\fR", roff(head));
    if (!names.empty() && takes_value(*option) && !option->get_type_name().empty())
      text += fmt::format(" \\fI{}\\fR", roff(option->get_type_name()));
    auto words = option->get_description();
    if (!option->get_default_str().empty() && takes_value(*option))
      words += fmt::format(" [{}]", option->get_default_str());
    text += "\n" + roff(words) + "\n";
  }
  return text;
}

std::string positionals_of(const CLI::App& app) {
  std::string text;
  for (const auto* option : shown_options(app))
    if (option->get_positional()) {
      const auto name = option->get_name(true);
      text += option->get_required() ? " " + name : fmt::format(" [{}]", name);
      if (option->get_expected_max() > 1) text += "...";
    }
  return text;
}

}  // namespace

std::string man_page(const CLI::App& app) {
  std::string text = fmt::format(".TH BISECT\\-RUN 1 \"\" \"bisect\\-run {}\"\n", kVersion);
  text +=
      ".SH NAME\nbisect\\-run \\- find the commit that changed a measured number of the Linux "
      "kernel\n.SH SYNOPSIS\n.B bisect\\-run\n[OPTIONS] GOOD BAD\n";
  for (const auto* command : commands_of(app))
    text += fmt::format(".br\n.B bisect\\-run {}\n[OPTIONS]{}\n", roff(command->get_name()),
                        roff(positionals_of(*command)));
  text += ".SH DESCRIPTION\n" + roff(app.get_description()) + "\n";
  text += ".SH OPTIONS\n" + options_text(app);
  for (const auto* command : commands_of(app))
    text += fmt::format(".SH \"{}\"\n{}\n{}", roff(command->get_name()),
                        roff(command->get_description()), options_text(*command));
  text += ".SH NOTES\n";
  const auto footer = app.get_footer();
  for (std::size_t at = 0; at < footer.size();) {
    const auto end = std::min(footer.find('\n', at), footer.size());
    text += roff(footer.substr(at, end - at)) + "\n.br\n";
    at = end + 1;
  }
  return text;
}

}  // namespace bisect_run::cli
