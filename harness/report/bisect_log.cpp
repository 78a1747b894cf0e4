#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "report/bisect_report.h"
#include "report/command.h"

namespace bisect_run::report {
namespace {

/// A verdict and the comment that git writes before it.
std::string vote(std::string_view word, const Oid& oid, std::string_view subject) {
  return fmt::format("# {0}: [{1}] {2}\ngit bisect {0} {1}\n", word, oid.hex, subject);
}

std::string start_line(const BisectFacts& facts) {
  std::string line = "git bisect start";
  if (facts.first_parent) line += " '--first-parent'";
  if (!facts.paths.empty()) line += " '--'";
  for (const auto& path : facts.paths) line += " " + shell_quoted(path);
  return line + "\n";
}

/// git keeps the last bad commit only: the newest comes first, the answer last.
std::vector<Probe> in_order(const BisectFacts& facts) {
  std::vector<Probe> order, bad;
  for (const auto& probe : facts.probes) {
    const bool known = probe.oid == facts.good.commit || probe.oid == facts.bad.commit ||
                       std::ranges::find(facts.untestable, probe.oid) != facts.untestable.end();
    if (!known) (probe.outcome == Outcome::bad ? bad : order).push_back(probe);
  }
  std::ranges::reverse(bad);
  if (facts.answer && facts.answer->kind == Answer::Kind::commit)
    std::ranges::stable_partition(
        bad, [&](const Probe& probe) { return probe.oid != facts.answer->commits.front().oid; });
  order.insert(order.end(), bad.begin(), bad.end());
  return order;
}

std::string line_of(const Probe& probe) {
  switch (probe.outcome) {
    case Outcome::good:
      return vote("good", probe.oid, probe.subject);
    case Outcome::bad:
      return vote("bad", probe.oid, probe.subject);
    case Outcome::skip:
    case Outcome::abort:
      return vote("skip", probe.oid, probe.subject);
    case Outcome::undecided:
      return fmt::format("# undecided: [{}] {}\n", probe.oid.hex, probe.subject);
  }
  return {};
}

}  // namespace

std::string bisect_log(const BisectFacts& facts) {
  std::string log = fmt::format(
      "# bisect-run {}: verdicts from measurements, for git bisect replay\n", facts.run.id);
  if (facts.find_fix) log += "# good is the old level and bad the new, better one\n";
  log += start_line(facts);
  log += vote("bad", facts.bad.commit, facts.bad.text);
  log += vote("good", facts.good.commit, facts.good.text);
  for (const auto& oid : facts.more_good) log += vote("good", oid, "");
  for (const auto& oid : facts.untestable) log += vote("skip", oid, "");
  for (const auto& probe : in_order(facts)) log += line_of(probe);
  if (facts.answer && facts.answer->kind == Answer::Kind::commit)
    for (const auto& commit : facts.answer->commits)
      log += fmt::format("# first bad commit: [{}] {}\n", commit.oid.hex, commit.subject);
  return log;
}

}  // namespace bisect_run::report
