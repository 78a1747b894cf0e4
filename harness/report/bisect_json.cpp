#include "report/bisect_report.h"
#include "report/json_values.h"

namespace bisect_run::report {
namespace {

Json config_json(const std::optional<ConfigChange>& change) {
  if (!change) return nullptr;
  Json differences = Json::array();
  for (const auto& row : change->differences)
    differences.push_back({{"what", row.what}, {"parent", row.parent}, {"commit", row.commit}});
  return {{"parent", change->parent.hex},
          {"differences", std::move(differences)},
          {"equivalent", change->equivalent},
          {"cause", to_string(change->cause)},
          {"reason", change->reason},
          {"value", number(change->value)}};
}

Json answer_json(const std::optional<Answer>& given) {
  const Answer answer = given.value_or(Answer{});
  Json commits = Json::array();
  for (const auto& commit : answer.commits)
    commits.push_back({{"oid", commit.oid.hex}, {"subject", commit.subject}});
  return {{"kind", to_string(answer.kind)},
          {"commits", std::move(commits)},
          {"effect", number(answer.effect)},
          {"confidence", number(answer.confidence)},
          {"config_induced", answer.config_change.has_value()},
          {"config_change", config_json(answer.config_change)}};
}

Json probes_json(const std::vector<Probe>& probes) {
  Json list = Json::array();
  for (const auto& probe : probes)
    list.push_back({{"oid", probe.oid.hex},
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
                  {"metric", facts.metric.name},
                  {"variant", facts.bad.variant},
                  {"answer", answer_json(facts.answer)},
                  {"probes", probes_json(facts.probes)},
                  {"host", host_state_json(facts.host_state)},
                  {"cost",
                   {{"builds", facts.cost.builds},
                    {"boots", facts.cost.boots},
                    {"seconds", facts.cost.seconds}}}});
}

}  // namespace bisect_run::report
