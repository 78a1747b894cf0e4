#include <fmt/format.h>

#include <cmath>

#include "report/answer_words.h"
#include "report/columns.h"
#include "report/command.h"
#include "report/compare_table.h"
#include "report/lines.h"
#include "report/mail.h"
#include "report/mail_parts.h"
#include "report/numbers.h"
#include "report/stretches.h"

namespace bisect_run::report {
namespace {

/// `add+exec is 93.0 % lower`
std::string change_words(const BisectFacts& facts) {
  const double effect = *facts.answer->effect;
  return fmt::format("{} is {:.1f} % {}", facts.metric.name, std::fabs(effect) * 100,
                     effect < 0 ? "lower" : "higher");
}

std::string headline(const BisectFacts& facts) {
  const auto what = fmt::format("{}: ", facts.run.scenario);
  if (!facts.answer || facts.answer->commits.empty())
    return mail_prose(what + heading_words(facts) + " for " + facts.metric.name);
  const auto change = facts.answer->effect ? change_words(facts) : facts.metric.name + " changed";
  if (facts.answer->kind == Answer::Kind::commit) return mail_prose(what + change + " since");
  return mail_prose(fmt::format("{}{} since one of these {} commits", what, change,
                                facts.answer->commits.size()));
}

std::string commits_text(const BisectFacts& facts) {
  if (!facts.answer) return {};
  const bool one = facts.answer->kind == Answer::Kind::commit;
  std::string text;
  for (const auto& commit : facts.answer->commits)
    text += (one ? "Fixes: " : "  ") + without_addresses(fixes_style(commit)) + "\n";
  return text;
}

std::string how_sure(const BisectFacts& facts) {
  std::string text;
  if (facts.answer && facts.answer->effect)
    text += fmt::format("Effect {}{}. ", percent_text(*facts.answer->effect),
                        interval_words(*facts.answer));
  if (facts.answer && facts.answer->confidence)
    text += fmt::format("Confidence {}. ", confidence_text(*facts.answer->confidence));
  text += fmt::format("Bisected between {} (good) and {} (bad) with {} boots of {} kernels.",
                      kernel_name(facts.good), kernel_name(facts.bad), facts.cost.boots,
                      facts.cost.builds + facts.cost.cached);
  return mail_prose(text);
}

std::string reasons(const BisectFacts& facts) {
  std::string text;
  if (!facts.run.message.empty()) text += mail_prose("Why: " + facts.run.message);
  if (facts.answer && !facts.answer->reason.empty() && facts.answer->reason != facts.run.message)
    text += mail_prose("Why: " + facts.answer->reason);
  return text;
}

/// The answer beside its parents, or the whole search again.
std::string repeat_text(const BisectFacts& facts) {
  RunFacts run = facts.run;
  run.repository.clear();  // where it lies here means nothing elsewhere
  const bool one = facts.answer && facts.answer->kind == Answer::Kind::commit;
  const auto command = one ? compare_command(run, facts.answer->commits.front().oid.abbreviated(),
                                             facts.good.variant, facts.metric.name, facts.machine)
                           : bisect_command(facts);
  return fmt::format("\nTo repeat it, in a kernel tree that has {}:\n  {}\n",
                     one ? "this commit" : "these commits", command);
}

std::string tables(const BisectFacts& facts) {
  if (!facts.levels || facts.levels->series.empty()) return {};
  std::string text;
  for (const auto& series : facts.levels->series) text += "\n" + table_text(*facts.levels, series);
  return mail_safe(fmt::format("\n{}{}", letters_text(*facts.levels), text));
}

std::string evidence(const BisectFacts& facts) {
  if (facts.probes.empty()) return {};
  std::string text =
      fmt::format("\nEvidence, in the order of the commits:\n\n  {:<9} {:>5} {:>12}  {}\n",
                  "outcome", "boots", facts.metric.unit, "commit");
  for (const auto& probe : facts.probes)
    text += fmt::format("  {:<9} {:>5} {:>12}  {} {}\n", to_string(probe.outcome), probe.boots,
                        value_text(probe.value), probe.oid.abbreviated(),
                        cut(without_addresses(probe.subject), kWidth - 46));
  return text;
}

std::string skipped(const BisectFacts& facts) {
  std::string text;
  for (const auto& [commits, reason] : skipped_stretches(facts.probes))
    text +=
        mail_line(commits.front().abbreviated(),
                  commits.size() == 1 ? reason
                                      : fmt::format("and {} more up to {}: {}", commits.size() - 1,
                                                    commits.back().abbreviated(), reason));
  return text.empty() ? text : "\nSkipped, and why:\n\n" + text;
}

}  // namespace

std::string mail_text(const BisectFacts& facts) {
  std::string text = headline(facts) + commits_text(facts) + "\n" + how_sure(facts) +
                     reasons(facts) + repeat_text(facts);
  text += "\nMeasured:\n\n";
  text += mail_line("scenario", facts.run.scenario + ", mode " + facts.run.mode);
  text += mail_line("metric", metric_words(facts.metric, facts.mark));
  text += mail_line("variant", facts.good.variant);
  text += measured_on(facts.run, facts.machine);
  text += tables(facts) + evidence(facts) + skipped(facts);
  for (const auto& person : facts.people)
    text +=
        (&person == facts.people.data() ? "\n" : "") + fmt::format("Cc: {}\n", printable(person));
  return text;
}

}  // namespace bisect_run::report
