#include "cli/bisect_detail.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "cli/past_reads.h"
#include "cli/search_space.h"
#include "cli/strategies.h"
#include "engine/boot_value.h"
#include "engine/evidence.h"
#include "git/repository.h"

namespace bisect_run::cli {
namespace {

engine::Question question_of(const report::BisectFacts& facts) {
  return {.metric = facts.metric.name,
          .mark = facts.mark,
          .higher_is_better = facts.metric.better == stats::Better::higher,
          .find_fix = facts.find_fix};
}

/// The one commit that was named; null otherwise.
const Commit* named(const report::BisectFacts& facts) {
  const bool one = facts.answer && facts.answer->kind == Answer::Kind::commit;
  return one ? &facts.answer->commits.front() : nullptr;
}

bool good_after_answer(const report::BisectFacts& facts) {
  const auto* answer = named(facts);
  if (!answer) return false;
  const auto at = std::ranges::find(facts.probes, answer->oid, &Probe::oid);
  return std::any_of(at, facts.probes.end(),
                     [](const Probe& probe) { return probe.outcome == Outcome::good; });
}

std::optional<bisect::Node> node_of(const engine::NodeIndex& index, const Oid& commit) {
  return index.find({.text = {}, .commit = commit});
}

/// Parents come before children in a range: one pass finds all descendants.
std::vector<Oid> beside_answer(const report::BisectFacts& facts, const Range& range,
                               const engine::NodeIndex& index) {
  const auto* answer = named(facts);
  const auto from = answer ? node_of(index, answer->oid) : std::nullopt;
  if (!from) return {};
  std::vector<bool> has(range.nodes.size());
  for (std::size_t node = *from; node < has.size(); ++node)
    has[node] = node == *from ||
                std::ranges::any_of(range.parents[node], [&](auto parent) { return has[parent]; });
  std::vector<Oid> beside;
  for (const auto& probe : facts.probes)
    if (const auto node = node_of(index, probe.oid); node && *node > *from && !has[*node])
      beside.push_back(probe.oid);
  return beside;
}

}  // namespace

std::vector<report::BootPoint> boot_points(const RunRequest& request, const History& history) {
  const auto mark = request.marks.empty() ? 0 : request.marks.front();
  std::vector<report::BootPoint> points;
  for (const auto& record : history.boots) {
    // A revert on top of BAD, or a parent with other boot arguments, is no commit of the history.
    const auto& variant = record.spec.variant;
    const bool of_run = variant == request.kernels.at(0).variant ||
                        std::ranges::find(request.layouts, variant) != request.layouts.end();
    if (!record.spec.patches.empty() || !of_run) continue;
    points.push_back({.commit = record.spec.commit,
                      .place = {},
                      .at_s = record.ended_at,
                      .outcome = record.boot.outcome,
                      .reason = record.boot.reason,
                      .value = record.boot.outcome == BootOutcome::complete
                                   ? engine::boot_value(record.samples, request.metric, mark)
                                   : std::nullopt});
  }
  return points;
}

report::ComparisonFacts levels_of(const report::BisectFacts& facts, const History& history) {
  std::vector<report::Column> columns;
  const auto add = [&](KernelSpec spec) {
    for (const auto& column : columns)
      if (column.spec == spec) return;
    columns.push_back({.spec = std::move(spec), .machine = facts.machine});
  };
  const auto commit = [&](const Oid& oid) {
    return KernelSpec{oid.abbreviated(), oid, {}, facts.good.variant};
  };
  add(facts.good);
  if (facts.answer && facts.answer->kind == Answer::Kind::commit) {
    for (const auto& parent : facts.answer->commits.front().parents) add(commit(parent));
    add(commit(facts.answer->commits.front().oid));
  }
  add(facts.bad);
  auto run = facts.run;
  run.failures.clear();
  return report::comparison_from(std::move(run), std::move(columns), history, {facts.metric.name});
}

void add_order(report::BisectFacts& facts, const store::RunRecord& run, const History& history,
               bool suspicion, const std::filesystem::path& cache) {
  if (!suspicion && !good_after_answer(facts)) return;  // loading a history takes a while
  const auto repository = git::Repository::open(run.request.repository);
  if (!repository) return;
  const auto space = search_space(*repository, run.request);
  if (!space) return;
  const Range& range = space->range;
  const engine::NodeIndex index(range);
  facts.beside = beside_answer(facts, range, index);
  if (!suspicion) return;
  facts.candidates = range.candidates();
  for (auto& point : facts.boots)
    if (const auto node = node_of(index, point.commit))
      point.place = *node < range.boundary ? 0 : *node - range.boundary + 1;
  const engine::NodeIndex measured(range, run.request.kernels.at(0).variant, run.request.layouts);
  const auto evidence = engine::gather(history, measured, facts.machine, question_of(facts));
  const auto strategy = make_strategy(*space, run.request);
  if (const auto unlikely = past_reads(*repository, range, measured, cache))
    strategy->set_back(unlikely(history));
  const auto masses = strategy->masses(evidence);
  for (std::size_t node = range.boundary; node < masses.size(); ++node)
    facts.suspicion.push_back(masses[node]);
}

std::vector<std::string> people_in(std::string_view message) {
  std::vector<std::string> people;
  while (!message.empty()) {
    const auto end = std::min(message.find('\n'), message.size());
    const auto line = message.substr(0, end);
    message.remove_prefix(std::min(end + 1, message.size()));
    const auto colon = line.find(": ");
    if (colon == 0 || colon == std::string_view::npos || !line.ends_with('>')) continue;
    const bool tag = std::ranges::all_of(
        line.substr(0, colon), [](unsigned char c) { return std::isalpha(c) != 0 || c == '-'; });
    const auto person = std::string(line.substr(colon + 2));
    if (tag && person.find('<') != std::string::npos &&
        std::ranges::find(people, person) == people.end())
      people.push_back(person);
  }
  return people;
}

std::vector<std::string> people_of(const report::BisectFacts& facts,
                                   const std::string& repository) {
  if (!facts.answer || facts.answer->kind != Answer::Kind::commit) return {};
  const auto opened = git::Repository::open(repository);
  if (!opened) return {};
  const auto message = opened->message_of(facts.answer->commits.front().oid);
  return message ? people_in(*message) : std::vector<std::string>{};
}

}  // namespace bisect_run::cli
