#include "report/columns.h"
#include "report/compare_report.h"
#include "report/json_values.h"
#include "report/kernels_json.h"

namespace bisect_run::report {
namespace {

Json column_json(const Column& column) {
  return {{"kernel", typed_name(column.spec)},
          {"oid", column.spec.commit.hex},
          {"variant", column.spec.variant},
          {"cpus", column.machine.cpus},
          {"base", column.base},
          {"same_as", column.same_as ? Json(*column.same_as) : Json(nullptr)},
          {"boots", column.boots},
          {"reason", column.reason}};
}

Json cell_json(const Cell& base, const Cell& cell) {
  const auto ratio = ratio_of(base, cell);
  const auto bound = [&](double stats::Interval::* end) -> Json {
    if (!ratio || !ratio->interval) return nullptr;
    return (*ratio->interval).*end;
  };
  return {{"value", number(centre(cell))},
          {"boots", cell.boots.size()},
          {"ratio", ratio ? Json(ratio->value) : Json(nullptr)},
          {"low", bound(&stats::Interval::low)},
          {"high", bound(&stats::Interval::high)},
          {"p", cell.judged ? number(cell.judged->p) : Json(nullptr)},
          {"verdict", cell.judged ? Json(stats::to_string(cell.judged->verdict)) : Json(nullptr)}};
}

Json series_json(const ComparisonFacts& facts, const Series& series) {
  Json rows = Json::array();
  for (const auto& row : series.rows) {
    Json cells = Json::array();
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      cells.push_back(cell_json(row.cells[facts.columns[i].base], row.cells[i]));
    rows.push_back({{"mark", row.mark}, {"cells", std::move(cells)}});
  }
  return {{"scenario", series.scenario},
          {"metric", series.metric.name},
          {"unit", series.metric.unit},
          {"better", series.metric.better == stats::Better::higher ? "higher" : "lower"},
          {"rows", std::move(rows)}};
}

}  // namespace

std::string compare_json(const ComparisonFacts& facts) {
  Json columns = Json::array(), series = Json::array();
  for (const auto& column : facts.columns) columns.push_back(column_json(column));
  for (const auto& each : facts.series) series.push_back(series_json(facts, each));
  return written({{"run", facts.run.id},
                  {"status", to_string(facts.run.status)},
                  {"scenario", facts.run.scenario},
                  {"mode", facts.run.mode},
                  {"columns", std::move(columns)},
                  {"series", std::move(series)},
                  {"rule",
                   {{"error", facts.rule.error},
                    {"min_effect", facts.rule.min_effect},
                    {"looks", facts.rule.looks}}},
                  {"kernels", kernels_json(facts.run)},
                  {"host", host_state_json(facts.host_state)},
                  {"cost",
                   {{"builds", facts.cost.builds},
                    {"boots", facts.cost.boots},
                    {"seconds", facts.cost.seconds}}}});
}

}  // namespace bisect_run::report
