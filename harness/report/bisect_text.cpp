#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/answer_lines.h"
#include "report/answer_words.h"
#include "report/bisect_report.h"
#include "report/command.h"
#include "report/lines.h"
#include "report/numbers.h"
#include "report/steps_text.h"
#include "report/stretches.h"

namespace bisect_run::report {
namespace {

std::string commits_text(const std::vector<Commit>& commits) {
  std::string text;
  for (const auto& commit : commits)
    text += fmt::format("  {} {}\n", commit.oid.abbreviated(), cut(commit.subject, kWidth - 15));
  return text;
}

std::string answer_text(const BisectFacts& facts) {
  std::string text = heading_words(facts) + "\n";
  if (!facts.run.message.empty()) text += line("why", facts.run.message);
  if (!facts.answer) return text;
  const Answer& answer = *facts.answer;
  text += commits_text(answer.commits);
  if (answer.reason != facts.run.message) text += line("why", answer.reason);
  text += lines_text(effect_lines(facts));
  if (answer.confidence) text += line("confidence", confidence_text(*answer.confidence));
  text += lines_text(config_lines(facts)) + lines_text(proof_lines(answer));
  for (const auto& change : further_changes(answer))
    text += "\n" + change.heading + "\n" + commits_text(change.commits) + lines_text(change.lines);
  return text;
}

std::string measured_text(const BisectFacts& facts) {
  const RunFacts& run = facts.run;
  std::string text = "\nwhat was measured\n";
  text += line("good", end_words(facts.good));
  text += line("bad", end_words(facts.bad));
  text += line("scenario", run.mode.empty() ? run.scenario : run.scenario + ", mode " + run.mode);
  text += line("metric", metric_words(facts.metric, facts.mark));
  text += line("variant", facts.good.variant);
  text += line("search", fmt::format("{}", fmt::join(facts.limits, ", ")));
  text += line("machine", describe(facts.machine));
  if (!run.host_cpu.empty())
    text += line("host", fmt::format("{} x {}", run.host_cpus, run.host_cpu));
  text += line("its state", host_state_text(facts.host_state));
  std::string software;
  for (const auto& part : {run.host_kernel.empty() ? "" : "Linux " + run.host_kernel,
                           run.qemu.empty() ? "" : "QEMU " + run.qemu,
                           run.libvirt.empty() ? "" : "libvirt " + run.libvirt, run.compiler})
    if (!part.empty()) software += (software.empty() ? "" : ", ") + part;
  return text + line("software", software) + line("remedies", run.remedies) +
         line("clock", run.clocks);
}

std::string evidence_text(const BisectFacts& facts) {
  std::string text = "\nevidence, in the order of the commits\n";
  text += fmt::format("  {:<9} {:>5} {:>12}  {:<12} {}\n", "outcome", "boots", facts.metric.unit,
                      "commit", "subject");
  for (const auto& probe : facts.probes)
    text += fmt::format("  {:<9} {:>5} {:>12}  {:<12} {}\n", to_string(probe.outcome), probe.boots,
                        value_text(probe.value), probe.oid.abbreviated(),
                        cut(probe.subject, kWidth - 46));
  if (const auto beside = beside_text(facts); !beside.empty())
    text += "  (" + wrapped(beside + ")", 3) + "\n";
  return facts.probes.empty() ? std::string{} : text;
}

std::string skipped_text(const BisectFacts& facts) {
  std::string text;
  for (const auto& [commits, reason] : skipped_stretches(facts.probes)) {
    const auto words = commits.size() == 1
                           ? reason
                           : fmt::format("and {} more up to {}: {}", commits.size() - 1,
                                         commits.back().abbreviated(), reason);
    text += fmt::format("  {:<12} {}\n", commits.front().abbreviated(), wrapped(words, kIndent));
  }
  return text.empty() ? text : "\nskipped, and why\n" + text;
}

std::string time_text(const Cost& cost) {
  if (cost.builds + cost.cached + cost.boots == 0) return {};
  const auto row = [](std::string_view what, double seconds, const std::string& of) {
    return fmt::format("  {:<13}{:>14}  {}\n", what, duration_text(seconds), of);
  };
  std::string text = "\nwhere the time went\n";
  text += row("building", cost.build_seconds,
              fmt::format("{} built, {} from the cache", cost.builds, cost.cached));
  text += row(
      "booting", cost.boot_seconds,
      fmt::format("{} boot{}, with their measurements", cost.boots, cost.boots == 1 ? "" : "s"));
  text += row("the rest", cost.seconds - cost.build_seconds - cost.boot_seconds,
              "checkout, configuration, waiting");
  return text + fmt::format("  {:<13}{:>14}\n", "altogether", duration_text(cost.seconds));
}

std::string repeat_text(const BisectFacts& facts) {
  const bool named = facts.answer && !facts.answer->commits.empty();
  const auto& oid = named ? facts.answer->commits.front().oid : facts.bad.commit;
  return fmt::format("\nto measure a commit again (any commit in the place of this one)\n  {}\n",
                     repeat_command(facts.run, oid.abbreviated(), facts.bad.variant,
                                    facts.metric.name, facts.machine, 2));
}

}  // namespace

std::string bisect_text(const BisectFacts& facts) {
  return answer_text(facts) + measured_text(facts) + evidence_text(facts) + skipped_text(facts) +
         time_text(facts.cost) + repeat_text(facts);
}

std::string show_text(const BisectFacts& facts) {
  std::string text = state_text(facts.run) + "\n" + bisect_text(facts) + steps_text(facts);
  if (facts.recent.empty()) return text;
  text += "\nlast steps\n";
  for (const auto& step : facts.recent) text += "  " + cut(step, kWidth - 2) + "\n";
  return text;
}

}  // namespace bisect_run::report
