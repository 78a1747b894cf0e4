#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/context.h"
#include "cli/experience.h"
#include "cli/inputs.h"
#include "cli/last_run.h"
#include "cli/price.h"
#include "cli/progress.h"
#include "cli/search_space.h"
#include "cli/strategies.h"
#include "kernel/cache_budget.h"
#include "model/try.h"

namespace bisect_run::cli {
namespace {

constexpr double kPatience = 1.5;  // seconds of rehearsing: the plan is there within three

std::string history_text(const Inputs& inputs, const SearchSpace& space) {
  const auto& range = space.range;
  std::size_t merges = 0, suspects = 0;
  for (std::size_t node = range.boundary; node < range.nodes.size(); ++node) {
    merges += range.nodes[node].parents.size() > 1 ? 1 : 0;
    suspects += space.behind.empty() || !space.behind[node] ? 1 : 0;
  }
  std::string text = fmt::format(
      "{}..{} in {}\n", inputs.repository.describe(inputs.request.kernels.at(0).commit),
      inputs.repository.describe(inputs.request.kernels.at(1).commit), inputs.request.repository);
  text += fmt::format("  commits   {}, of them {} merges\n", range.candidates(), merges);
  if (suspects < range.candidates())
    text += fmt::format("  suspects  {} that touch the paths\n", suspects);
  return text;
}

std::string measure_text(const RunRequest& request) {
  std::string text = fmt::format("  measures  {}, metric {}, mode {}\n", request.scenario,
                                 request.metric, request.mode);
  text += fmt::format("  kernels   variant {}, on {}\n", request.kernels.at(0).variant,
                      describe(request.machine));
  if (const auto limits = search_limits(request); !limits.empty())
    text += fmt::format("  search    {}\n", fmt::join(limits, ", "));
  return text;
}

Tariff tariff_of(const Experience& experience) {
  Tariff tariff;
  tariff.build_s = experience.build_s.value_or(tariff.build_s);
  tariff.boot_s = experience.boot_s.value_or(tariff.boot_s);
  // A few equal boots are no promise: the least noise that the model ever assumes.
  if (experience.sigma) tariff.sigma = std::max(*experience.sigma, 0.002);
  return tariff;
}

std::string tariff_text(const Experience& experience, const Tariff& tariff) {
  const auto source = [](bool known, int count, const char* of) {
    return known ? fmt::format("mean of {} {} on this machine", count, of)
                 : fmt::format("assumed: no {} on this machine yet", of);
  };
  std::string text =
      fmt::format("  a build   {:<9} {}\n", duration(tariff.build_s),
                  source(experience.build_s.has_value(), experience.builds, "builds"));
  text += fmt::format(
      "  a boot    {:<9} {}\n", duration(tariff.boot_s),
      source(experience.boot_s.has_value(), experience.boots, "boots of this scenario"));
  return text +
         fmt::format("  noise     {:<9} {}\n", fmt::format("{:.1f} %", 100 * tariff.sigma),
                     experience.sigma
                         ? fmt::format("between boots of one kernel, of {} boots", experience.boots)
                         : "assumed, between boots of one kernel");
}

std::string price_text(const std::vector<Price>& prices) {
  std::string text = "\n  a change of   builds  boots  time\n";
  bool formula = false;
  for (const auto& price : prices) {
    text +=
        fmt::format("  {:>9.0f} %   {:>6.0f} {:>6.0f}  {}{}\n", 100 * price.effect, price.builds,
                    price.boots, duration(price.seconds), price.rehearsals == 0 ? " *" : "");
    formula = formula || price.rehearsals == 0;
  }
  if (formula) text += "  * by a formula; the others were rehearsed with simulated boots\n";
  return text;
}

std::string budget_text(double budget_s, const Tariff& tariff, const std::vector<Price>& prices) {
  const double ends = 2 * tariff.build_s + 6 * tariff.boot_s;
  if (budget_s < ends)
    return fmt::format("  a budget of {} cannot suffice: the two ends alone take about {}\n",
                       duration(budget_s), duration(ends));
  std::vector<std::string> enough, less;
  for (const auto& price : prices)
    (price.seconds <= budget_s ? enough : less)
        .push_back(fmt::format("{:.0f} %", 100 * price.effect));
  std::string text = fmt::format("  a budget of {} ", duration(budget_s));
  if (enough.empty())
    return text + "cannot suffice for any of these; the answer will be a set of commits\n";
  text += fmt::format("is enough for a change of {}", fmt::join(enough, ", "));
  if (less.empty()) return text + "\n";
  return text + fmt::format("; for {} it will probably not suffice\n", fmt::join(less, ", "));
}

}  // namespace

Result<int> plan_command(const Arguments& arguments, const Context& context) {
  BR_TRY_ASSIGN(const auto inputs,
                read_inputs(arguments, context.places, last_repository(context.places)));
  BR_TRY_ASSIGN(const auto space, search_space(inputs.repository, inputs.request));
  const auto experience = experience_of(context.places, inputs);
  const auto tariff = tariff_of(experience);
  const auto strategy = make_strategy(space, inputs.request);
  const auto expected = prices(*strategy, space, {0.5, 0.1, 0.05}, tariff, kPatience);
  fmt::print("{}{}{}{}", history_text(inputs, space), measure_text(inputs.request),
             tariff_text(experience, tariff), price_text(expected));
  fmt::print("  space     {}\n",
             kernel::describe(kernel::space_outlook(context.places.cache, inputs.recipe.cache_bytes,
                                                    strategy->outlook({}).builds)));
  if (inputs.request.budget_s > 0)
    fmt::print("{}", budget_text(inputs.request.budget_s, tariff, expected));
  return kAnswered;
}

}  // namespace bisect_run::cli
