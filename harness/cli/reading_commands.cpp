// The commands that only read: report, show, runs.

#include <fmt/format.h>

#include "cli/context.h"
#include "cli/follow.h"
#include "cli/last_run.h"
#include "cli/printing.h"
#include "cli/run_list.h"
#include "model/try.h"

namespace bisect_run::cli {

Result<int> report_command(const Arguments& arguments, const Context& context) {
  BR_TRY_ASSIGN(const auto store, open_results(context.places));
  BR_TRY_ASSIGN(const auto run, find_run(store, arguments.run));
  BR_TRY(print_run(store, run.id, printing_of(arguments, context.places)));
  return kAnswered;
}

Result<int> show_command(const Arguments& arguments, const Context& context) {
  BR_TRY_ASSIGN(const auto store, open_results(context.places));
  BR_TRY_ASSIGN(const auto run, find_run(store, arguments.run));
  auto printing = printing_of(arguments, context.places);
  printing.format = "show";
  BR_TRY(print_run(store, run.id, printing));
  if (!arguments.follow || !run.live) return kAnswered;
  fmt::print("\n");
  BR_TRY(follow_run(store, run.id, context));
  fmt::print("\n");
  BR_TRY(print_run(store, run.id, printing));
  return kAnswered;
}

Result<int> runs_command(const Arguments& arguments, const Context& context) {
  BR_TRY_ASSIGN(const auto store, open_results(context.places));
  BR_TRY_ASSIGN(auto all, store.runs());
  BR_TRY_ASSIGN(const auto runs, filtered(std::move(all), arguments));
  fmt::print("{}", arguments.json ? runs_json(runs) : run_lines(runs));
  return kAnswered;
}

}  // namespace bisect_run::cli
