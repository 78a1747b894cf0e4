#include <fmt/format.h>

#include "report/answer_lines.h"
#include "report/answer_words.h"
#include "report/html_parts.h"
#include "report/numbers.h"

namespace bisect_run::report {
namespace {

std::string commits_html(const std::vector<Commit>& commits) {
  std::string html;
  for (const auto& commit : commits)
    html += fmt::format("<p class=commit><code>{}</code> {}</p>\n",
                        escaped(commit.oid.abbreviated()), escaped(printable(commit.subject)));
  return html;
}

std::string figure(const std::string& value, const std::string& words) {
  return fmt::format("<div><strong>{}</strong><span>{}</span></div>\n", escaped(value),
                     escaped(words));
}

/// What a reader takes away: how large, how sure, and whether taking it back helped.
std::string figures_of(const Answer& answer) {
  std::string html;
  if (answer.effect) {
    const auto interval = interval_text(*answer.effect, answer.effect_low, answer.effect_high);
    html +=
        figure(effect_text(*answer.effect), "effect" + (interval.empty() ? "" : "; " + interval));
  }
  if (answer.confidence) html += figure(confidence_text(*answer.confidence), "confidence");
  if (answer.revert && !answer.revert->verdict.empty())
    html += figure(answer.revert->verdict, "by its revert on top of BAD");
  return html.empty() ? html : "<div class=figures>\n" + html + "</div>\n";
}

std::string further_html(const Answer& answer) {
  std::string html;
  for (const auto& change : further_changes(answer)) {
    auto title = change.heading;
    title.front() = 'A';
    html += heading(title) + "<div class=answer>\n" + commits_html(change.commits) + "</div>\n" +
            pairs(change.lines);
  }
  return html;
}

}  // namespace

std::string answer_html(const BisectFacts& facts) {
  std::string html =
      element("h1", facts.run.scenario + ": " + heading_words(facts)) + "<div class=answer>\n";
  if (facts.answer) {
    html += commits_html(facts.answer->commits) + figures_of(*facts.answer);
    if (!facts.answer->effect) html += pairs(effect_lines(facts));
    if (!facts.answer->reason.empty()) html += paragraph(facts.answer->reason);
    html += pairs(config_lines(facts));
  }
  if (!facts.run.message.empty()) html += paragraph(facts.run.message);
  const auto spent = fmt::format(
      "{} of {}: {} boots of {} kernels in {}.", facts.metric.name, facts.run.scenario,
      facts.cost.boots, facts.cost.builds + facts.cost.cached, duration_text(facts.cost.seconds));
  return html + "</div>\n" + paragraph(spent);
}

std::string proof_html(const BisectFacts& facts) {
  if (!facts.answer) return {};
  const auto proof = pairs(proof_lines(*facts.answer));
  return (proof.empty() ? proof : heading("What stands behind it") + proof) +
         further_html(*facts.answer);
}

}  // namespace bisect_run::report
