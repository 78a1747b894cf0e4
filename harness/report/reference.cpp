#include "report/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

#include "model/try.h"
#include "report/csv.h"

namespace bisect_run::report {
namespace {

/// The published names of workloads, and ours for the same steps.
std::string metric_of(std::string_view workload) {
  static const std::map<std::string_view, std::string> ours{{"add+1exec", "add+exec"},
                                                            {"add+2exec+1link", "add+2exec+link"}};
  const auto found = ours.find(workload);
  return found == ours.end() ? std::string(workload) : found->second;
}

/// RCU_NOCB_CPU=n is called `no` there and `off` here.
std::string variant_of(std::string_view nocb) {
  return nocb == "no" ? "off" : std::string(nocb);
}

std::size_t column_of(ComparisonFacts& facts, std::string_view kernel, std::string_view nocb) {
  const auto variant = variant_of(nocb);
  for (std::size_t i = 0; i < facts.columns.size(); ++i)
    if (facts.columns[i].spec.text == kernel && facts.columns[i].spec.variant == variant) return i;
  Column column;
  column.spec = {std::string(kernel), {}, {}, variant};
  column.boots = 1;
  facts.columns.push_back(std::move(column));
  return facts.columns.size() - 1;
}

Series& series_of(ComparisonFacts& facts, const std::string& metric) {
  for (auto& series : facts.series)
    if (series.metric.name == metric) return series;
  facts.series.push_back({{metric, "items/s", stats::Better::higher}, {}});
  return facts.series.back();
}

/// Columns in the order of time: the source lists the newest kernel first.
std::vector<std::string_view> kernels_by_age(const Csv& csv) {
  std::vector<std::string_view> kernels;
  for (std::size_t i = 0; i < csv.rows(); ++i)
    if (std::ranges::find(kernels, csv.text(i, "kernel")) == kernels.end())
      kernels.push_back(csv.text(i, "kernel"));
  std::ranges::reverse(kernels);
  return kernels;
}

ComparisonFacts rates_at_marks(const Csv& csv) {
  ComparisonFacts facts;
  for (const auto kernel : kernels_by_age(csv))
    for (std::size_t i = 0; i < csv.rows(); ++i)
      if (csv.text(i, "kernel") == kernel) column_of(facts, kernel, csv.text(i, "nocb"));
  for (std::size_t i = 0; i < csv.rows(); ++i) {
    auto& rows = series_of(facts, metric_of(csv.text(i, "workload"))).rows;
    const auto mark = static_cast<std::int64_t>(csv.number(i, "mark").value_or(0));
    auto row = std::ranges::lower_bound(rows, mark, {}, &Row::mark);
    if (row == rows.end() || row->mark != mark)
      row = rows.insert(row, {mark, std::vector<Cell>(facts.columns.size())});
    const auto rate = csv.number(i, "rate_per_s");
    // A run that was cut off has a rate of 0.00 in the source: a missing value.
    if (rate && csv.text(i, "status") == "measured")
      row->cells[column_of(facts, csv.text(i, "kernel"), csv.text(i, "nocb"))].boots = {*rate};
  }
  return facts;
}

std::vector<LoopTotal>& group_of(std::vector<Reference::Group>& groups, const std::string& title) {
  for (auto& group : groups)
    if (group.title == title) return group.totals;
  groups.push_back({title, {}});
  return groups.back().totals;
}

std::vector<Reference::Group> interface_totals(const Csv& csv) {
  std::vector<Reference::Group> groups;
  for (std::size_t i = 0; i < csv.rows(); ++i) {
    const auto title = fmt::format("{}, {}", csv.text(i, "source"), csv.text(i, "kernel"));
    group_of(groups, title)
        .push_back({std::string(csv.text(i, "kind")),
                    std::string(csv.text(i, "step")),
                    static_cast<std::int64_t>(csv.number(i, "count").value_or(0)),
                    csv.number(i, "seconds").value_or(0),
                    {},
                    {}});
  }
  return groups;
}

std::vector<Reference::Group> pair_totals(const Csv& csv) {
  std::vector<Reference::Group> groups;
  for (std::size_t i = 0; i < csv.rows(); ++i) {
    LoopTotal total{"veth",
                    std::string(csv.text(i, "phase")),
                    static_cast<std::int64_t>(csv.number(i, "pairs").value_or(0)),
                    0,
                    csv.number(i, "user_s"),
                    csv.number(i, "sys_s")};
    const double by_item =
        csv.number(i, "ms_per_pair").value_or(0) * static_cast<double>(total.items) / 1000;
    total.seconds = csv.number(i, "real_s").value_or(by_item);
    const auto title = fmt::format("{}, HZ={}", csv.text(i, "source"), csv.text(i, "hz"));
    group_of(groups, title).push_back(std::move(total));
  }
  return groups;
}

std::vector<CounterBlock> counter_blocks(const Csv& csv) {
  std::vector<CounterBlock> blocks;
  std::string_view threads;
  for (std::size_t i = 0; i < csv.rows(); ++i) {
    if (csv.text(i, "threads") != threads) {
      threads = csv.text(i, "threads");
      blocks.push_back({fmt::format("atomic {}", threads), {}, 0, {}});
    }
    CounterBlock& block = blocks.back();
    const auto record = csv.text(i, "record");
    const auto value = csv.number(i, "value");
    if (record == "counter") block.counters.push_back({std::string(csv.text(i, "name")), value});
    if (record == "elapsed") block.elapsed_s = value.value_or(0);
    if (record == "stated") block.pair_ns = value;
  }
  return blocks;
}

std::vector<std::string> known_references(const std::filesystem::path& directory) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator it(directory, error), end; !error && it != end;
       it.increment(error))
    if (it->path().extension() == ".csv") names.push_back(it->path().stem().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace

Result<Reference> parse_reference(std::string_view text, std::string_view name) {
  BR_TRY_ASSIGN(const auto csv, Csv::parse(text, std::string(name)));
  Reference reference;
  reference.name = name;
  if (csv.has("workload") && csv.has("rate_per_s"))
    reference.comparison = rates_at_marks(csv);
  else if (csv.has("kind") && csv.has("seconds"))
    reference.groups = interface_totals(csv);
  else if (csv.has("phase") && csv.has("ms_per_pair"))
    reference.groups = pair_totals(csv);
  else if (csv.has("record") && csv.has("threads"))
    reference.blocks = counter_blocks(csv);
  else
    return fail(ErrorKind::usage,
                fmt::format("{}: its columns are none that this program knows", name));
  if (reference.blocks.empty()) reference.mode = "process";
  return reference;
}

Result<Reference> load_reference(const std::filesystem::path& directory, std::string_view name) {
  const auto known = known_references(directory);
  if (std::ranges::find(known, name) == known.end()) {
    std::string list;
    for (const auto& each : known) list += (list.empty() ? "" : ", ") + each;
    return fail(ErrorKind::usage, fmt::format("no reference '{}' in {}; there are: {}", name,
                                              directory.string(), list.empty() ? "none" : list));
  }
  std::ifstream in(directory / (std::string(name) + ".csv"), std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return parse_reference(text, name);
}

}  // namespace bisect_run::report
