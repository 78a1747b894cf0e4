#include "report/answer_lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "report/answer_words.h"
#include "report/numbers.h"

namespace bisect_run::report {
namespace {

constexpr double kWorthAWord = 0.02;    // of what is left between the ends
constexpr std::size_t kMostBeside = 4;  // names in one sentence

std::string share_text(double share) {
  return fmt::format("{:.0f} %", 100 * share);
}

std::string revert_text(const RevertOutcome& revert) {
  if (revert.verdict.empty()) return "not tested: " + revert.why_not;
  std::string text = revert.verdict;
  if (revert.recovered && revert.error)
    text += fmt::format(
        ": on top of BAD it brings back {} of the difference (standard error {}, {} boots of each "
        "kernel)",
        share_text(*revert.recovered), share_text(*revert.error), revert.boots);
  return revert.why_not.empty() ? text : text + "; " + revert.why_not;
}

std::string changes_text(const Answer& answer) {
  if (!answer.further.empty()) return fmt::format("{}", 1 + answer.further.size());
  if (!answer.two_changes) return {};
  const double once = 1 - *answer.two_changes;
  return fmt::format("{} (probability {})", once >= 0.5 ? "1" : "more than 1",
                     share_text(std::max(once, 1 - once)));
}

std::string_view cause_words(ConfigChange::Cause cause) {
  switch (cause) {
    case ConfigChange::Cause::configuration:
      return "the configuration, not the code: ";
    case ConfigChange::Cause::commit:
      return "the commit's code: ";
    case ConfigChange::Cause::both:
      return "both, configuration and code: ";
    case ConfigChange::Cause::unknown:
      return "not known: ";
  }
  return "";
}

}  // namespace

NamedLines effect_lines(const BisectFacts& facts) {
  if (!facts.answer) return {};
  const Answer& answer = *facts.answer;
  if (answer.effect)
    return {{"effect", effect_text(*answer.effect, answer.effect_low, answer.effect_high)}};
  if (answer.commits.empty()) return {};
  return {{"effect",
           "not known: too few boots of it and its parents; the evidence has what was measured"}};
}

NamedLines config_lines(const BisectFacts& facts) {
  if (!facts.answer || !facts.answer->config_change) return {};
  const ConfigChange& change = *facts.answer->config_change;
  NamedLines lines{
      {"config", "config-induced: this commit changes the configuration of the variant"}};
  for (const auto& row : change.differences)
    lines.push_back(
        {"", fmt::format("{}: {} in the parent, {} here", row.what, row.parent, row.commit)});
  lines.push_back({"cause", fmt::format("{}{}", cause_words(change.cause), change.reason)});
  if (change.value)
    lines.push_back(
        {"", fmt::format("({} {} there)", value_text(change.value), facts.metric.unit)});
  return lines;
}

NamedLines proof_lines(const Answer& answer) {
  NamedLines lines;
  if (answer.kind == Answer::Kind::none) return lines;
  if (answer.verified)
    lines.push_back({"verified", effect_text(*answer.verified) +
                                     ", when it and its parents were booted again in turn"});
  if (answer.separation)
    lines.push_back({"clarity", fmt::format("the change is {:.1f} times what one boot varies by",
                                            *answer.separation)});
  if (answer.revert) lines.push_back({"revert", revert_text(*answer.revert)});
  lines.push_back({"changes", changes_text(answer)});
  if (answer.rest && (std::abs(*answer.rest) >= kWorthAWord || !answer.search_for_more.empty()))
    lines.push_back(
        {"left over", effect_text(*answer.rest) + " between the ends, beside that change"});
  lines.push_back({"", answer.search_for_more});
  std::erase_if(lines, [](const auto& line) { return line.second.empty(); });
  return lines;
}

std::vector<FurtherText> further_changes(const Answer& answer) {
  std::vector<FurtherText> changes;
  for (const auto& change : answer.further) {
    NamedLines lines;
    if (!change.reason.empty()) lines.push_back({"why", change.reason});
    lines.push_back({"effect", effect_text(change.effect, change.effect_low, change.effect_high)});
    lines.push_back({"confidence", confidence_text(change.confidence)});
    changes.push_back(
        {fmt::format("a further change, {}{}", change.before ? "before that" : "not before that",
                     change.commits.size() > 1
                         ? fmt::format(": one of these {}", change.commits.size())
                         : std::string()),
         change.commits, change.effect, std::move(lines)});
  }
  return changes;
}

std::string beside_text(const BisectFacts& facts) {
  if (facts.beside.empty() || !facts.answer || facts.answer->commits.empty()) return {};
  std::vector<std::string> names;
  for (const auto& oid : facts.beside)
    if (names.size() < kMostBeside) names.push_back(oid.abbreviated());
  const auto more = facts.beside.size() - names.size();
  const bool one = facts.beside.size() == 1;
  return fmt::format("{}{} {} after {} in this order, but on {} without it", fmt::join(names, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "", one ? "comes" : "come",
                     facts.answer->commits.front().oid.abbreviated(),
                     one ? "a branch" : "branches");
}

}  // namespace bisect_run::report
