#include "cli/compare_options.h"

#include <CLI/CLI.hpp>

#include "cli/search_options.h"

namespace bisect_run::cli {

void add_compare_options(CLI::App& compare, Arguments& a) {
  compare.add_option("SPEC", a.kernels, "kernels: REV[+PATCH…][@VARIANT]; the first is the base")
      ->expected(0, -1)
      ->type_name("");
  compare.add_option("--list", a.list_file, "a file with one SPEC a line; # begins a comment")
      ->type_name("FILE");
  compare.add_option("--tags", a.tags, "all tags between two revisions, both included: v6.1..v6.8")
      ->type_name("A..B");
  compare
      .add_option(
          "--scenario", a.scenarios,
          std::string("what to measure; several are measured in turn [") + kDefaultScenario + "]")
      ->delimiter(',')
      ->type_name("NAME,NAME");
  compare
      .add_option("--most-boots", a.most_boots,
                  "boots of a kernel that fewer leave undecided [12; with --boots, that number]")
      ->check(CLI::Range(1, 1000).description(""))
      ->type_name("N");
  add_min_effect(compare, a);
  compare.add_flag("--fail-on-regression", a.fail_on_regression,
                   "exit with 1 when a cell is slower than the base");
}

Status check_compare(const Arguments& a) {
  if (a.kernels.empty() && !a.list_file && !a.tags)
    return fail(ErrorKind::usage,
                "kernels are needed: bisect-run compare SPEC SPEC, or --list FILE, or --tags A..B");
  if (a.scenarios.size() > 1 && a.metric)
    return fail(ErrorKind::usage,
                "--metric names a number of one scenario; with several, leave it out");
  if (a.boots && a.most_boots && *a.most_boots < *a.boots)
    return fail(ErrorKind::usage, "--most-boots is below --boots");
  if (a.tags &&
      (a.tags->find("..") == std::string::npos || a.tags->find("...") != std::string::npos))
    return fail(ErrorKind::usage, "--tags takes two revisions as A..B, the older one first");
  return {};
}

}  // namespace bisect_run::cli
