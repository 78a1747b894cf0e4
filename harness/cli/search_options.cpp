#include "cli/search_options.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/quantities.h"

namespace bisect_run::cli {
namespace {

/// An option whose text is read by `read`, one of quantities.h.
void add_quantity(CLI::App& app, const char* name, std::optional<double>& into,
                  const std::string& help, const char* type,
                  Result<double> (*read)(std::string_view)) {
  app.add_option_function<std::string>(
         name,
         [&into, name, read](const std::string& text) {
           const auto number = read(text);
           if (!number) throw CLI::ValidationError(name, number.error().message);
           into = *number;
         },
         help)
      ->type_name(type);
}

}  // namespace

void add_budget(CLI::App& app, Arguments& a, const char* left_out) {
  add_quantity(
      app, "--budget", a.budget_s,
      fmt::format("the most time it may work, such as 6h; then the best answer so far [{}]",
                  left_out),
      "TIME", seconds_from);
}

void add_min_effect(CLI::App& app, Arguments& a) {
  add_quantity(app, "--min-effect", a.min_effect, "the smallest change worth a search [2%]",
               "SHARE", share_from);
}

void add_search(CLI::App& app, Arguments& a) {
  app.add_flag("--find-fix", a.find_fix, "look for the commit that made it better");
  add_budget(app, a);
  add_quantity(app, "--confidence", a.confidence, "how sure to be before one commit is named [99%]",
               "SHARE", share_from);
  add_min_effect(app, a);
  app.add_option("--good", a.more_good,
                 "another good end: it and its ancestors are out; may be given again")
      ->type_name("REV")
      ->allow_extra_args(false);
  app.add_option("--paths", a.paths,
                 "suspect the commits that touch these files or directories, the others hardly; "
                 "give it after GOOD BAD")
      ->type_name("PATH");
  app.add_option("--import", a.import,
                 "take the ends and the skips of this git bisect log, in place of GOOD BAD")
      ->type_name("FILE");
  app.add_flag("--first-parent", a.first_parent,
               "follow merges along their first parent: the answer may be a merge");
}

}  // namespace bisect_run::cli
