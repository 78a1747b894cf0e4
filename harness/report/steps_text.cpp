#include "report/steps_text.h"

#include <fmt/format.h>

#include "report/numbers.h"

namespace bisect_run::report {
namespace {

constexpr std::size_t kIndent = 15;

std::string number_of(const ToldBelief& belief) {
  return belief.open == 1 ? "one commit" : fmt::format("{} commits", belief.open);
}

std::string favourite_of(const ToldBelief& belief) {
  if (belief.favourite.empty() || belief.favourite_mass < 0.005) return {};
  return fmt::format("; the most likely one is {}, {}", belief.favourite.abbreviated(),
                     belief.favourite_mass > 0.9995
                         ? "more than 99.9 %"
                         : fmt::format("{:.1f} %", 100 * belief.favourite_mass));
}

std::string change_of(const ToldStep& step) {
  if (!step.after) return step.before ? "the ends are no longer told apart" : "";
  if (!step.before)
    return fmt::format("the ends are told apart: 95 % of the probability lies in {}",
                       number_of(*step.after));
  if (step.before->open != step.after->open)
    return fmt::format("95 % of the probability lay in {}, now in {}{}", number_of(*step.before),
                       number_of(*step.after), favourite_of(*step.after));
  return fmt::format("95 % of the probability still lies in {}{}", number_of(*step.after),
                     favourite_of(*step.after));
}

std::string deed_of(const ToldStep& step) {
  switch (step.kind) {
    case ToldStep::Kind::build_failed:
      return "does not build";
    case ToldStep::Kind::built:
      return "built";
    case ToldStep::Kind::boot:
      break;
  }
  if (step.going_on) return "booting now";
  if (!step.value) return "boot failed";
  return step.built_for_it ? "built, booted" : "booted again";
}

std::string line(std::string_view name, const std::string& value) {
  if (value.empty()) return {};
  return fmt::format("      {:<9}{}\n", name, wrapped(value, kIndent));
}

}  // namespace

std::string steps_text(const BisectFacts& facts) {
  if (facts.steps.empty())
    return facts.untold.empty()
               ? std::string{}
               : "\nwhy each step was made\n  not known: " + wrapped(facts.untold, 2) + "\n";
  std::string text = "\nwhy each step was made, and what it changed\n";
  std::size_t number = 0;
  for (const auto& step : facts.steps) {
    text += fmt::format("  {:>3} {:<12} {:<14} {:>10}  {}\n", ++number, step.oid.abbreviated(),
                        deed_of(step), step.value ? value_text(step.value) : "",
                        cut(step.subject, kWidth - 48));
    text += line("failed", step.failure);
    text += line("why", step.why.empty() ? "not what would be done today" : step.why);
    if (!step.going_on) text += line("changed", change_of(step));
  }
  return text;
}

}  // namespace bisect_run::report
