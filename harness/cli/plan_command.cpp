#include <cmath>

#include <fmt/format.h>

#include "cli/context.h"
#include "cli/inputs.h"
#include "cli/last_run.h"
#include "cli/strategies.h"
#include "kernel/cache_budget.h"
#include "model/try.h"

namespace bisect_run::cli {

Result<int> plan_command(const Arguments& arguments, const Context& context) {
  BR_TRY_ASSIGN(const auto inputs,
                read_inputs(arguments, context.places, last_repository(context.places)));
  const auto& good = inputs.request.kernels.at(0);
  const auto& bad = inputs.request.kernels.at(1);
  BR_TRY_ASSIGN(const auto range, inputs.repository.range(good.commit, bad.commit));
  std::size_t merges = 0;
  for (std::size_t node = range.boundary; node < range.nodes.size(); ++node)
    merges += range.nodes[node].parents.size() > 1 ? 1 : 0;
  const auto outlook = make_strategy(range, inputs.request)->outlook({});

  fmt::print("{}..{} in {}\n", inputs.repository.describe(good.commit),
             inputs.repository.describe(bad.commit), inputs.request.repository);
  fmt::print("  commits   {}, of them {} merges\n", range.candidates(), merges);
  fmt::print("  steps     about {:.0f}\n",
             std::ceil(std::log2(static_cast<double>(range.candidates()) + 1)));
  fmt::print("  builds    about {:.0f}, variant {}\n", outlook.builds, good.variant);
  fmt::print("  boots     about {:.0f} of {}\n", outlook.boots, describe(inputs.request.machine));
  fmt::print("  space     {}\n",
             kernel::describe(kernel::space_outlook(context.places.cache,
                                                    inputs.recipe.cache_bytes, outlook.builds)));
  fmt::print("  measures  {}, metric {}, mode {}\n", inputs.request.scenario,
             inputs.request.metric, inputs.request.mode);
  return kAnswered;
}

}  // namespace bisect_run::cli
