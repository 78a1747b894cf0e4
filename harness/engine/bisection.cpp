#include "engine/bisection.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/boot_value.h"
#include "engine/findings.h"
#include "engine/revert_test.h"
#include "model/spec_key.h"
#include "model/try.h"
#include "stats/summary.h"

namespace bisect_run::engine {

Bisection::Bisection(BisectionSetup setup, std::unique_ptr<bisect::Strategy> strategy,
                     Prober& prober)
    : setup_(std::move(setup)),
      index_(setup_.range, setup_.variant, setup_.layouts),
      strategy_(std::move(strategy)),
      prober_(prober),
      unread_(setup_.range, index_, prober.ports()) {}

Result<Findings> Bisection::run() {
  while (true) {
    const auto evidence = this->evidence();
    BR_TRY_ASSIGN(const auto unlikely, unread_.now(prober_.history()));
    strategy_->set_back(unlikely);
    const auto action = strategy_->next(evidence);
    if (const auto* conclusion = std::get_if<bisect::Conclusion>(&action))
      return finish(*conclusion);
    if (!in_time(setup_.allowance, spec_of(std::get<bisect::BootNode>(action), evidence),
                 prober_)) {
      auto findings = conclude(strategy_->give_up(
          evidence, fmt::format("undecided when the budget of {} was spent", setup_.budget)));
      findings.out_of_time = true;
      return findings;
    }
    const auto outlook = strategy_->outlook(evidence);
    prober_.ports().observer.outlook(outlook.builds, outlook.boots);
    prober_.ports().observer.assessed(probes(evidence));
    BR_TRY(act(std::get<bisect::BootNode>(action), evidence));
  }
}

KernelSpec Bisection::spec_of(bisect::Node node) const {
  const auto& commit = setup_.range.nodes[node];
  return {.text = commit.oid.abbreviated() + "@" + setup_.variant,
          .commit = commit.oid,
          .patches = {},
          .variant = setup_.variant};
}

KernelSpec Bisection::spec_of(const bisect::BootNode& action,
                              const bisect::Evidence& evidence) const {
  KernelSpec spec = spec_of(action.node);
  if (const auto variant = layout_of(action, prober_.history(), index_, evidence)) {
    spec.text = spec.commit.abbreviated() + "@" + *variant;
    spec.variant = *variant;
  }
  return spec;
}

Result<Findings> Bisection::finish(const bisect::Conclusion& conclusion) {
  Findings findings = conclude(conclusion);
  auto* const source = prober_.ports().source;
  if (conclusion.kind != bisect::Conclusion::Kind::commit || !source) return findings;
  BR_TRY_ASSIGN(findings.answer.revert,
                run_revert_test({.good = spec_of(setup_.range.good()),
                                 .bad = spec_of(setup_.range.bad()),
                                 .culprit = setup_.range.nodes[conclusion.nodes.front()],
                                 .machine = setup_.machine,
                                 .scenario = setup_.scenario,
                                 .question = setup_.question,
                                 .allowance = setup_.allowance},
                                *source, prober_));
  return findings;
}

/// Where the action needs a build, others that are likely next are built beside it; true if any
/// kernel was built.
Result<bool> Bisection::build_ahead(const bisect::BootNode& action,
                                    const bisect::Evidence& evidence) {
  const auto& built = evidence.built;
  if (setup_.prebuild < 2 || std::find(built.begin(), built.end(), action.node) != built.end())
    return false;
  std::vector<KernelSpec> specs;
  for (const auto node : strategy_->prebuild(evidence, setup_.prebuild))
    specs.push_back(spec_of(node));
  if (specs.empty()) return false;
  prober_.ports().observer.probing(
      specs.front(), fmt::format("{} kernels at once: the likely next ones", specs.size()));
  const auto before = prober_.history().builds.size();
  BR_TRY(prober_.build_together(specs));
  return prober_.history().builds.size() != before;
}

bisect::Evidence Bisection::evidence() const {
  auto evidence = gather(prober_.history(), index_, setup_.machine, setup_.question);
  for (const auto& oid : setup_.untestable)
    if (const auto node =
            index_.find({.text = {}, .commit = oid, .patches = {}, .variant = setup_.variant}))
      evidence.skipped.push_back({*node, "skipped in the imported bisect log"});
  return evidence;
}

/// A build that turns out to fail, or to equal a kernel already measured, changes the evidence:
/// the strategy is asked again before a boot is spent on it.
Status Bisection::act(const bisect::BootNode& action, const bisect::Evidence& evidence) {
  BR_TRY_ASSIGN(const bool more_kernels, build_ahead(action, evidence));
  if (more_kernels) return {};
  const KernelSpec spec = spec_of(action, evidence);
  auto& observer = prober_.ports().observer;
  observer.probing(spec, action.why);
  const auto builds_before = prober_.history().builds.size();
  BR_TRY_ASSIGN(const Image* image, prober_.image(spec));
  const bool is_new = prober_.history().builds.size() != builds_before;
  if (!image || is_new) return {};
  BR_TRY_ASSIGN(const auto record, prober_.boot(spec, setup_.machine, setup_.scenario));
  observer.booted(spec, record.boot,
                  boot_value(record.samples, setup_.question.metric, setup_.question.mark));
  return {};
}

Findings Bisection::conclude(const bisect::Conclusion& conclusion) {
  return {.status = status_of(conclusion.kind),
          .answer = answer_from(conclusion, setup_.range, setup_.question),
          .probes = probes(evidence())};
}

std::vector<Probe> Bisection::probes(const bisect::Evidence& evidence) {
  std::map<bisect::Node, std::vector<double>> values;
  for (const auto& record : prober_.history().boots) {
    const auto node = index_.find_any(record.spec);
    if (!node || record.boot.outcome != BootOutcome::complete) continue;
    const auto value = boot_value(record.samples, setup_.question.metric, setup_.question.mark);
    if (value) values[*node].push_back(*value);
  }
  std::map<bisect::Node, int> shared;
  for (const auto& boot : evidence.boots) shared[boot.node] += boot.shared ? 1 : 0;

  std::map<bisect::Node, Probe> probes;
  for (const auto& build : prober_.history().builds) {
    const auto node = index_.find(build.spec);
    if (!node) continue;
    const auto assessment = strategy_->assess(evidence, *node);
    const auto& commit = setup_.range.nodes[*node];
    probes[*node] = {.oid = commit.oid,
                     .subject = commit.subject,
                     .outcome = assessment.outcome,
                     .reason = assessment.reason,
                     .boots = static_cast<int>(values[*node].size()),
                     .value = stats::median(values[*node])};
    if (shared[*node] > 0 && values[*node].empty())
      probes[*node].reason += " (same kernel as a neighbour's: not booted again)";
  }
  std::vector<Probe> ordered;
  for (auto& [node, probe] : probes) ordered.push_back(std::move(probe));
  return ordered;
}

}  // namespace bisect_run::engine
