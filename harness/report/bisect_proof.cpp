#include "report/bisect_proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/lines.h"
#include "report/numbers.h"

namespace bisect_run::report {
namespace {

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

}  // namespace

std::string proof_text(const Answer& answer) {
  std::string text;
  if (answer.kind == Answer::Kind::none) return text;
  if (answer.verified)
    text += line("verified", percent_text(*answer.verified) +
                                 ", when it and its parents were booted again in turn");
  if (answer.separation)
    text += line("clarity", fmt::format("the change is {:.1f} times what one boot varies by",
                                        *answer.separation));
  if (answer.revert) text += line("revert", revert_text(*answer.revert));
  text += line("changes", changes_text(answer));
  if (answer.rest && (std::abs(*answer.rest) >= 0.02 || !answer.search_for_more.empty()))
    text += line("left over", percent_text(*answer.rest) + " between the ends, beside that change");
  return text + line("", answer.search_for_more);
}

std::string further_text(const Answer& answer) {
  std::string text;
  for (const auto& change : answer.further) {
    text += fmt::format(
        "\na further change, {}{}\n", change.before ? "before that" : "not before that",
        change.commits.size() > 1 ? fmt::format(": one of these {}", change.commits.size())
                                  : std::string());
    for (const auto& commit : change.commits)
      text += fmt::format("  {} {}\n", commit.oid.abbreviated(), cut(commit.subject, kWidth - 15));
    text += line("why", change.reason);
    text += line("effect",
                 fmt::format("{} (95 % interval {} to {})", percent_text(change.effect),
                             percent_text(change.effect_low), percent_text(change.effect_high)));
    text += line("confidence", confidence_text(change.confidence));
  }
  return text;
}

}  // namespace bisect_run::report
