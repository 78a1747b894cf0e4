#include <fmt/format.h>

#include "report/answer_words.h"
#include "report/columns.h"
#include "report/command.h"
#include "report/compare_report.h"
#include "report/compare_table.h"
#include "report/numbers.h"

namespace bisect_run::report {
namespace {

std::string repeat_text(const ComparisonFacts& facts) {
  if (facts.columns.empty()) return {};
  const auto& column = facts.columns.back();
  return fmt::format("\nto measure a kernel again\n  {}\n",
                     repeat_command(facts.run, typed_name(column.spec), column.spec.variant, "",
                                    column.machine, 2));
}

std::string scenarios_text(const RunFacts& run) {
  std::string text = run.scenario + (run.mode.empty() ? "" : ", mode " + run.mode);
  for (const auto& more : run.more_scenarios)
    text += fmt::format("; {}{}", more.name, more.mode.empty() ? "" : ", mode " + more.mode);
  return text;
}

}  // namespace

std::string compare_text(const ComparisonFacts& facts, Shown shown) {
  std::string text = wrapped(scenarios_text(facts.run), 2) + "\n" + state_text(facts.run);
  if (!facts.run.message.empty()) text += wrapped(facts.run.message, 0) + "\n";
  const auto verdicts = verdicts_text(facts);
  if (!verdicts.empty()) text += tally_text(facts) + "\n";
  text += legend(facts.columns);
  if (!facts.run.remedies.empty())
    text += wrapped("built and booted with remedies: " + facts.run.remedies, 2) + "\n";
  // The usual clock of a guest goes without saying.
  if (!facts.run.clocks.empty() && facts.run.clocks != "tsc" && facts.run.clocks != "kvm-clock")
    text += wrapped("timed by: " + facts.run.clocks, 2) + "\n";
  if (const auto state = host_state_text(facts.host_state); !state.empty())
    text += wrapped("host: " + state, 6) + "\n";
  if (!verdicts.empty()) text += letters_text(facts);
  for (const auto& series : facts.series) text += "\n" + table_text(facts, as_shown(series, shown));
  if (!verdicts.empty()) text += "\n" + verdicts;
  return text + repeat_text(facts);
}

}  // namespace bisect_run::report
