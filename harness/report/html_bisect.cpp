#include <fmt/format.h>

#include <algorithm>

#include "report/answer_words.h"
#include "report/bisect_report.h"
#include "report/columns.h"
#include "report/command.h"
#include "report/html_parts.h"
#include "report/numbers.h"

namespace bisect_run::report {
namespace {

std::string repeat_html(const BisectFacts& facts) {
  RunFacts run = facts.run;
  run.repository.clear();
  const bool one = facts.answer && facts.answer->kind == Answer::Kind::commit;
  return paragraph("To repeat it, in a kernel tree that has these commits:") +
         preformatted(one ? compare_command(run, facts.answer->commits.front().oid.abbreviated(),
                                            facts.good.variant, facts.metric.name, facts.machine)
                          : bisect_command(facts));
}

std::string_view row_class(Outcome outcome) {
  switch (outcome) {
    case Outcome::good:
      return "good";
    case Outcome::bad:
      return "bad";
    case Outcome::skip:
    case Outcome::abort:
      return "skip";
    case Outcome::undecided:
      return "";
  }
  return "";
}

std::string probes_html(const BisectFacts& facts) {
  HtmlTable table({"outcome", "boots", facts.metric.unit, "commit", "why"},
                  {false, true, true, false, false});
  for (const auto& probe : facts.probes) {
    auto reason = probe.reason;
    if (std::ranges::find(facts.beside, probe.oid) != facts.beside.end())
      reason += fmt::format("{}on a branch without {}", reason.empty() ? "" : "; ",
                            facts.answer->commits.front().oid.abbreviated());
    table.html_row(
        {escaped(to_string(probe.outcome)), fmt::format("{}", probe.boots), value_text(probe.value),
         fmt::format("<code>{}</code> {}", escaped(probe.oid.abbreviated()),
                     escaped(printable(probe.subject))),
         escaped(printable(reason))},
        row_class(probe.outcome));
  }
  return table.empty() ? std::string{}
                       : heading("Evidence, in the order of the commits") + table.log_html();
}

/// Every boot in the order of time: what was done, and what came of it.
std::string boots_html(const BisectFacts& facts) {
  HtmlTable table({"at", "commit", facts.metric.unit, "outcome"}, {true, false, true, false});
  for (const auto& boot : facts.boots)
    table.row({duration_text(boot.at_s), boot.commit.abbreviated(), value_text(boot.value),
               boot.outcome == BootOutcome::complete
                   ? std::string()
                   : fmt::format("{}: {}", to_string(boot.outcome), boot.reason)});
  return table.empty()
             ? std::string{}
             : folded(fmt::format("all {} boots in the order of time", facts.boots.size()),
                      table.html());
}

std::string measured_html(const BisectFacts& facts) {
  return heading("What was measured") +
         pairs({{"good", end_words(facts.good)},
                {"bad", end_words(facts.bad)},
                {"scenario", facts.run.scenario + ", mode " + facts.run.mode},
                {"metric", metric_words(facts.metric, facts.mark)},
                {"variant", facts.good.variant},
                {"machine", describe(facts.machine)},
                {"commits", facts.candidates > 0 ? fmt::format("{}", facts.candidates) : ""},
                {"time", fmt::format("{} building, {} booting, {} altogether",
                                     duration_text(facts.cost.build_seconds),
                                     duration_text(facts.cost.boot_seconds),
                                     duration_text(facts.cost.seconds))}});
}

}  // namespace

std::string html_text(const BisectFacts& facts, const PageData& data) {
  std::string body = answer_html(facts) + repeat_html(facts) + figures(data) + proof_html(facts);
  body += probes_html(facts) + boots_html(facts) + measured_html(facts);
  if (facts.levels && !facts.levels->series.empty())
    body += heading("The ends and the answer beside each other") + comparison_tables(*facts.levels);
  body += downloads(facts.run, data) + provenance(facts.run);
  return page(facts.run.scenario + ": " + heading_words(facts), body, facts.run);
}

}  // namespace bisect_run::report
