#include "engine/comparison_plan.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/boot_value.h"
#include "engine/evidence.h"
#include "model/spec_key.h"

namespace bisect_run::engine {
namespace {

using Place = std::pair<std::string, std::int64_t>;  // metric and mark
using Values = std::map<Place, std::vector<double>>;

bool belongs(const BootRecord& record, const Lane& lane) {
  return record.boot.outcome == BootOutcome::complete &&
         record.scenario_digest == lane.scenario->digest &&
         record.boot.machine == lane.cell->machine &&
         spec_key(record.spec) == spec_key(lane.cell->spec);
}

/// Rates only: a sample with a value of its own is a counter, shown but not waited for.
Values rates_of(const Lane& lane, const History& history, const std::string& metric) {
  Values values;
  for (const auto& record : history.boots) {
    if (!belongs(record, lane)) continue;
    std::set<Place> places;
    for (const auto& sample : record.samples)
      if (!sample.value && sample.unit == "items/s" && (metric.empty() || sample.metric == metric))
        places.emplace(sample.metric, sample.mark);
    for (const auto& place : places)
      if (const auto value = boot_value(record.samples, place.first, place.second))
        values[place].push_back(*value);
  }
  return values;
}

std::string identity_of(const History& history, const Cell& cell) {
  for (const auto& build : history.builds)
    if (build.image && spec_key(build.spec) == spec_key(cell.spec)) return identity(*build.image);
  return "@" + spec_key(cell.spec);  // not built: itself alone
}

}  // namespace

std::vector<Lane> lanes_of(const ComparisonSetup& setup, const History& history) {
  std::vector<Lane> lanes;
  for (const auto& scenario : setup.scenarios) {
    std::set<std::pair<std::string, std::string>> seen;
    std::map<std::string, std::size_t> first;
    for (const auto& cell : setup.cells) {
      const auto machine = describe(cell.machine);
      if (!seen.emplace(machine, identity_of(history, cell)).second) continue;
      const auto base = first.try_emplace(machine, lanes.size()).first->second;
      lanes.push_back({&cell, &scenario, base});
    }
  }
  return lanes;
}

int complete_boots(const History& history, const Lane& lane) {
  return static_cast<int>(std::ranges::count_if(
      history.boots, [&](const BootRecord& record) { return belongs(record, lane); }));
}

std::vector<std::size_t> undecided_lanes(const ComparisonSetup& setup,
                                         const std::vector<Lane>& lanes, const History& history) {
  std::vector<stats::MatrixCell> cells;
  std::vector<std::size_t> lane_of;
  std::vector<Values> values;
  for (const auto& lane : lanes) values.push_back(rates_of(lane, history, setup.metric));
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (lanes[i].base == i) continue;
    for (const auto& [place, numbers] : values[i]) {
      const auto base = values[lanes[i].base].find(place);
      if (base == values[lanes[i].base].end()) continue;
      cells.push_back({base->second, numbers, stats::Better::higher, false});
      lane_of.push_back(i);
    }
  }
  std::set<std::size_t> undecided;
  const auto judged = stats::judge(cells, setup.rule);
  for (std::size_t i = 0; i < judged.size(); ++i) {
    if (!judged[i] || judged[i]->verdict != stats::CellVerdict::undecided) continue;
    undecided.insert(lane_of[i]);
    undecided.insert(lanes[lane_of[i]].base);
  }
  return {undecided.begin(), undecided.end()};
}

}  // namespace bisect_run::engine
