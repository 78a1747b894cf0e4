// The commands that begin a run: the bisect, compare and scenario.

#include "cli/context.h"
#include "cli/execution.h"
#include "cli/last_run.h"
#include "cli/search_space.h"
#include "model/try.h"

namespace bisect_run::cli {
namespace {

Result<int> start(Inputs inputs, const Arguments& arguments, const Context& context) {
  BR_TRY_ASSIGN(auto store, store::Store::open(context.places.database()));
  BR_TRY_ASSIGN(auto run, begin_run(store, inputs, context.places));
  return execute({.store = store,
                  .run = std::move(run),
                  .inputs = std::move(inputs),
                  .quiet = arguments.quiet,
                  .printing = printing_of(arguments, context.places)},
                 context);
}

}  // namespace

Result<int> bisect_command(const Arguments& arguments, const Context& context) {
  BR_TRY_ASSIGN(auto inputs,
                read_inputs(arguments, context.places, last_repository(context.places)));
  // Wrong ends are refused before anything is written.
  BR_TRY(search_space(inputs.repository, inputs.request));
  return start(std::move(inputs), arguments, context);
}

Result<int> compare_command(const Arguments& arguments, const Context& context) {
  if (arguments.here) return here_command(arguments, context);
  if (arguments.judge) return judge_command(arguments, context);
  BR_TRY(check(printing_of(arguments, context.places)));
  BR_TRY_ASSIGN(auto inputs,
                read_inputs(arguments, context.places, last_repository(context.places)));
  return start(std::move(inputs), arguments, context);
}

}  // namespace bisect_run::cli
