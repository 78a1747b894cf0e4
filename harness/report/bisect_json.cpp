#include "report/bisect_report.h"
#include "report/json_values.h"
#include "report/kernels_json.h"

namespace bisect_run::report {
namespace {

Json config_json(const std::optional<ConfigChange>& change) {
  if (!change) return nullptr;
  Json differences = Json::array();
  for (const auto& row : change->differences)
    differences.push_back({{"what", row.what}, {"parent", row.parent}, {"commit", row.commit}});
  return {{"parent", change->parent.hex},     {"differences", std::move(differences)},
          {"equivalent", change->equivalent}, {"cause", to_string(change->cause)},
          {"reason", change->reason},         {"value", number(change->value)}};
}

Json commits_json(const std::vector<Commit>& list) {
  Json commits = Json::array();
  for (const auto& commit : list)
    commits.push_back({{"oid", commit.oid.hex}, {"subject", commit.subject}});
  return commits;
}

Json further_json(const std::vector<FurtherAnswer>& list) {
  Json changes = Json::array();
  for (const auto& change : list)
    changes.push_back({{"commits", commits_json(change.commits)},
                       {"before", change.before},
                       {"reason", change.reason},
                       {"effect", change.effect},
                       {"effect_low", change.effect_low},
                       {"effect_high", change.effect_high},
                       {"confidence", change.confidence}});
  return changes;
}

Json revert_json(const std::optional<RevertOutcome>& revert) {
  if (!revert) return nullptr;
  return {{"verdict", revert->verdict},
          {"why_not", revert->why_not},
          {"recovered", number(revert->recovered)},
          {"error", number(revert->error)},
          {"boots", revert->boots}};
}

Json answer_json(const std::optional<Answer>& given) {
  const Answer answer = given.value_or(Answer{});
  return {{"kind", to_string(answer.kind)},
          {"commits", commits_json(answer.commits)},
          {"reason", answer.reason},
          {"effect", number(answer.effect)},
          {"effect_low", number(answer.effect_low)},
          {"effect_high", number(answer.effect_high)},
          {"confidence", number(answer.confidence)},
          {"separation", number(answer.separation)},
          {"verified", number(answer.verified)},
          {"controls", answer.controls},
          {"two_changes", number(answer.two_changes)},
          {"rest", number(answer.rest)},
          {"further", further_json(answer.further)},
          {"search_for_more", answer.search_for_more},
          {"revert", revert_json(answer.revert)},
          {"config_induced", answer.config_change.has_value()},
          {"config_change", config_json(answer.config_change)}};
}

Json oids_json(const std::vector<Oid>& oids) {
  Json list = Json::array();
  for (const auto& oid : oids) list.push_back(oid.hex);
  return list;
}

Json probes_json(const std::vector<Probe>& probes) {
  Json list = Json::array();
  for (const auto& probe : probes)
    list.push_back({{"oid", probe.oid.hex},
                    {"subject", probe.subject},
                    {"outcome", to_string(probe.outcome)},
                    {"reason", probe.reason},
                    {"boots", probe.boots},
                    {"value", number(probe.value)}});
  return list;
}

}  // namespace

std::string bisect_json(const BisectFacts& facts) {
  return written({{"run", facts.run.id},
                  {"status", to_string(facts.run.status)},
                  {"good", facts.good.commit.hex},
                  {"bad", facts.bad.commit.hex},
                  {"scenario", facts.run.scenario},
                  {"mode", facts.run.mode},
                  {"metric", facts.metric.name},
                  {"mark", facts.mark},
                  {"unit", facts.metric.unit},
                  {"better", facts.metric.better == stats::Better::higher ? "higher" : "lower"},
                  {"variant", facts.bad.variant},
                  {"cpus", facts.machine.cpus},
                  {"find_fix", facts.find_fix},
                  {"answer", answer_json(facts.answer)},
                  {"probes", probes_json(facts.probes)},
                  {"beside", oids_json(facts.beside)},
                  {"kernels", kernels_json(facts.run)},
                  {"host", host_state_json(facts.host_state)},
                  {"cost",
                   {{"builds", facts.cost.builds},
                    {"boots", facts.cost.boots},
                    {"seconds", facts.cost.seconds}}}});
}

}  // namespace bisect_run::report
