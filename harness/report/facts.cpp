#include "report/facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "model/spec_key.h"

namespace bisect_run::report {
namespace {

std::optional<double> value_of(const Sample& sample) {
  if (sample.value) return sample.value;
  if (sample.items <= 0 || sample.wall_ns <= 0) return std::nullopt;
  return static_cast<double>(sample.items) * 1e9 / static_cast<double>(sample.wall_ns);
}

/// A counter that the guest does not have comes without a value; a loop has times instead.
bool is_not_supported(const Sample& sample) {
  return !sample.value && sample.unit != "items/s";
}

const Image* image_of(const History& history, const std::string& key) {
  const Image* image = nullptr;
  for (const auto& build : history.builds)
    if (build.image && spec_key(build.spec) == key) image = &*build.image;
  return image;
}

bool same_machine(const Machine& wanted, const Machine& had) {
  // The accelerator asked for may be `auto`; the one that ran is in the boot.
  return wanted.cpus == had.cpus && wanted.memory_mib == had.memory_mib &&
         wanted.clock == had.clock;
}

/// The complete boots of a column: its own, else those of a kernel that is the same machine code
/// with the same boot arguments.
std::vector<const BootRecord*> boots_of(const Column& column, const History& history) {
  const auto key = spec_key(column.spec);
  const Image* mine = image_of(history, key);
  std::vector<const BootRecord*> own, shared;
  for (const auto& record : history.boots) {
    if (record.boot.outcome != BootOutcome::complete ||
        !same_machine(column.machine, record.boot.machine))
      continue;
    const auto other = spec_key(record.spec);
    if (other == key) {
      own.push_back(&record);
    } else if (mine != nullptr && record.signature == mine->signature) {
      const Image* theirs = image_of(history, other);
      if (theirs != nullptr && theirs->boot_args == mine->boot_args) shared.push_back(&record);
    }
  }
  return own.empty() ? shared : own;
}

/// The last thing that went wrong with a column.
std::string reason_of(const Column& column, const History& history) {
  const auto key = spec_key(column.spec);
  std::string reason = "not measured yet";
  for (const auto& build : history.builds)
    if (build.error && spec_key(build.spec) == key) reason = build.error->message;
  for (const auto& record : history.boots)
    if (spec_key(record.spec) == key && !record.boot.reason.empty()) reason = record.boot.reason;
  return reason;
}

/// Each column's base, and the one before it that is the same kernel on the same machine.
void set_bases(std::vector<Column>& columns, const History& history) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    columns[i].base = i;
    const Image* mine = image_of(history, spec_key(columns[i].spec));
    for (std::size_t earlier = i; earlier-- > 0;) {
      if (!same_machine(columns[i].machine, columns[earlier].machine)) continue;
      columns[i].base = earlier;
      const Image* theirs = image_of(history, spec_key(columns[earlier].spec));
      if (mine != nullptr && theirs != nullptr && mine->signature == theirs->signature &&
          mine->boot_args == theirs->boot_args)
        columns[i].same_as = earlier;
    }
  }
}

/// Collects series while it walks over the boots.
class Collector {
 public:
  Collector(ComparisonFacts& facts, const std::vector<std::string>& only)
      : facts_(facts), only_(only) {}

  void add(std::size_t column, const BootRecord& record) {
    std::map<std::pair<std::size_t, std::int64_t>, std::vector<double>> values;
    std::set<std::pair<std::size_t, std::int64_t>> absent;
    const auto scenario = scenario_of(record);
    for (const auto& sample : record.samples) {
      if (!is_wanted(sample.metric)) continue;
      const std::pair place{series_of(sample, scenario), sample.mark};
      if (const auto value = value_of(sample)) values[place].push_back(*value);
      if (is_not_supported(sample)) absent.insert(place);
    }
    for (const auto& [series, mark] : absent) cell(series, mark, column).not_supported = true;
    for (const auto& [place, numbers] : values)
      if (const auto median = stats::median(numbers); median && std::isfinite(*median))
        cell(place.first, place.second, column).boots.push_back(*median);
  }

 private:
  /// A loop that was chosen comes with what its operations report by themselves.
  bool is_wanted(const std::string& metric) const {
    return only_.empty() || std::ranges::any_of(only_, [&](const std::string& chosen) {
             return metric == chosen || metric.starts_with(chosen + ".");
           });
  }

  /// The one whose digest the boot has; the run's first where none has it.
  std::string scenario_of(const BootRecord& record) const {
    for (const auto& more : facts_.run.more_scenarios)
      if (more.digest == record.scenario_digest) return more.name;
    return facts_.run.scenario;
  }

  std::size_t series_of(const Sample& sample, const std::string& scenario) {
    for (std::size_t i = 0; i < facts_.series.size(); ++i)
      if (facts_.series[i].metric.name == sample.metric && facts_.series[i].scenario == scenario)
        return i;
    facts_.series.push_back({{sample.metric, sample.unit, better_for(sample.unit)}, scenario, {}});
    return facts_.series.size() - 1;
  }

  Cell& cell(std::size_t series, std::int64_t mark, std::size_t column) {
    auto& rows = facts_.series[series].rows;
    auto row = std::ranges::lower_bound(rows, mark, {}, &Row::mark);
    if (row == rows.end() || row->mark != mark)
      row = rows.insert(row, {mark, std::vector<Cell>(facts_.columns.size())});
    return row->cells[column];
  }

  ComparisonFacts& facts_;
  const std::vector<std::string>& only_;
};

}  // namespace

Cost cost_of(const History& history) {
  Cost cost;
  for (const auto& build : history.builds) {
    if (build.image && build.image->cached) {
      ++cost.cached;
      continue;
    }
    ++cost.builds;
    if (build.image) cost.build_seconds += build.image->build_seconds;
  }
  for (const auto& record : history.boots) {
    ++cost.boots;
    cost.boot_seconds += record.boot.wall_seconds;
  }
  cost.seconds = history.elapsed;
  return cost;
}

ComparisonFacts comparison_from(RunFacts run, std::vector<Column> columns, const History& history,
                                const std::vector<std::string>& only,
                                const stats::MatrixRule& rule) {
  ComparisonFacts facts{std::move(run),   std::move(columns),     {},
                        cost_of(history), host_state_of(history), rule};
  set_bases(facts.columns, history);
  Collector collector(facts, only);
  for (std::size_t i = 0; i < facts.columns.size(); ++i) {
    Column& column = facts.columns[i];
    const auto boots = boots_of(column, history);
    column.boots = static_cast<int>(boots.size());
    column.reason = boots.empty() ? reason_of(column, history) : boots.back()->boot.reason;
    for (const auto* record : boots) collector.add(i, *record);
    if (!boots.empty()) column.machine = boots.front()->boot.machine;
  }
  judge_table(facts);
  return facts;
}

void judge_table(ComparisonFacts& facts) {
  std::vector<stats::MatrixCell> cells;
  std::vector<Cell*> places;
  for (auto& series : facts.series)
    for (auto& row : series.rows)
      for (std::size_t i = 0; i < row.cells.size(); ++i) {
        const auto base = facts.columns[i].base;
        row.cells[i].judged.reset();
        if (base == i) continue;
        const auto& same = facts.columns[i].same_as;
        cells.push_back({row.cells[base].boots, row.cells[i].boots, series.metric.better,
                         same && (*same == base || facts.columns[*same].same_as == base)});
        places.push_back(&row.cells[i]);
      }
  const auto judged = stats::judge(cells, facts.rule);
  for (std::size_t i = 0; i < judged.size(); ++i) places[i]->judged = judged[i];
}

void reduce(BootRecord& record) {
  std::vector<Sample> kept;
  std::vector<std::vector<double>> values;
  std::map<std::pair<std::string_view, std::int64_t>, std::size_t> places;
  for (const auto& sample : record.samples) {
    const auto [found, fresh] = places.try_emplace({sample.metric, sample.mark}, kept.size());
    if (fresh) {
      kept.push_back(sample);
      kept.back().value.reset();
      kept.back().items = is_not_supported(sample) ? 0 : std::max<std::int64_t>(1, sample.items);
      kept.back().wall_ns = 0;
      values.emplace_back();
    }
    if (const auto value = value_of(sample)) values[found->second].push_back(*value);
  }
  for (std::size_t i = 0; i < kept.size(); ++i) kept[i].value = stats::median(values[i]);
  record.samples = std::move(kept);
}

stats::Better better_for(std::string_view unit) {
  constexpr std::array<std::string_view, 12> low{"s",       "ms",        "us",      "ns",
                                                 "ns/pair", "us/packet", "count",   "bytes",
                                                 "percent", "J",         "packets", "ns/item"};
  return std::ranges::find(low, unit) != low.end() ? stats::Better::lower : stats::Better::higher;
}

}  // namespace bisect_run::report
