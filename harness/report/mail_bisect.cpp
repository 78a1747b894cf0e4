#include <fmt/format.h>

#include <cmath>

#include "report/answer_lines.h"
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
  if (effect >= kManyfold)
    return fmt::format("{} is {} times as high", facts.metric.name, ratio_text(1 + effect));
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

bool is_of_the_configuration(const Answer& answer) {
  return answer.config_change && answer.config_change->cause == ConfigChange::Cause::configuration;
}

/// What stands before the one commit: nothing is to be fixed in one that made it better, or whose
/// code was not the cause.
std::string_view tag_of(const BisectFacts& facts) {
  if (facts.find_fix) return "Fixed by: ";
  return is_of_the_configuration(*facts.answer) ? "Config-induced by: " : "Fixes: ";
}

std::string_view tag_of(const BisectFacts& facts, const FurtherText& change) {
  const bool same_way = (change.effect < 0) == (facts.answer->effect.value_or(0) < 0);
  if (!same_way) return "Changed back by: ";
  return facts.find_fix ? "Fixed by: " : "Fixes: ";
}

std::string commits_text(const std::vector<Commit>& commits, std::string_view tag) {
  std::string text;
  for (const auto& commit : commits)
    text += fmt::format("{}{}\n", commits.size() == 1 ? tag : "  ",
                        without_addresses(fixes_style(commit)));
  return text;
}

std::string commits_text(const BisectFacts& facts) {
  if (!facts.answer) return {};
  const bool one = facts.answer->kind == Answer::Kind::commit;
  return commits_text(facts.answer->commits, one ? tag_of(facts) : "  ");
}

std::string how_sure(const BisectFacts& facts) {
  std::string text;
  for (const auto& [name, value] : effect_lines(facts)) text += "Effect " + value + ". ";
  if (facts.answer) {
    const Answer& answer = *facts.answer;
    if (answer.confidence)
      text += fmt::format("Confidence {}. ", confidence_text(*answer.confidence));
    if (answer.config_change) text += "Config-induced: the cause is below. ";
    if (answer.revert && !answer.revert->verdict.empty())
      text += fmt::format("Revert {}. ", answer.revert->verdict);
    if (!answer.further.empty())
      text += fmt::format("One of {} changes. ", 1 + answer.further.size());
  }
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

std::string mail_lines(const NamedLines& lines) {
  std::string text;
  for (const auto& [name, value] : lines) text += mail_line(name, value);
  return text;
}

/// What is behind the answer: its proof, what the configuration has to do with it, and the other
/// changes of the range.
std::string proof(const BisectFacts& facts) {
  if (!facts.answer) return {};
  auto text = mail_lines(config_lines(facts)) + mail_lines(proof_lines(*facts.answer));
  if (!text.empty()) text = "\nWhat stands behind it:\n\n" + text;
  for (const auto& change : further_changes(*facts.answer)) {
    auto heading = change.heading;
    heading.front() = 'A';
    text +=
        fmt::format("\n{}:\n{}\n{}", heading, commits_text(change.commits, tag_of(facts, change)),
                    mail_lines(change.lines));
  }
  return text;
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
  if (const auto beside = beside_text(facts); !beside.empty())
    text += "  (" + wrapped(beside + ")", 3) + "\n";
  return text;
}

/// Where the log lies here means nothing elsewhere.
std::string without_log(const std::string& reason) {
  return reason.substr(0, reason.find(" (log: "));
}

std::string skipped(const BisectFacts& facts) {
  std::string text;
  for (const auto& [commits, reason] : skipped_stretches(facts.probes))
    text += mail_line(commits.front().abbreviated(),
                      commits.size() == 1
                          ? without_log(reason)
                          : fmt::format("and {} more up to {}: {}", commits.size() - 1,
                                        commits.back().abbreviated(), without_log(reason)));
  return text.empty() ? text : "\nSkipped, and why:\n\n" + text;
}

}  // namespace

std::string mail_text(const BisectFacts& facts) {
  std::string text = headline(facts) + commits_text(facts) + "\n" + how_sure(facts) +
                     reasons(facts) + repeat_text(facts) + proof(facts);
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
