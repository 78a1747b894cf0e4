#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "report/columns.h"
#include "report/compare_report.h"
#include "report/plot_parts.h"
#include "stats/distributions.h"

namespace bisect_run::report {
namespace {

constexpr std::size_t kMostSeries = 12, kMostLines = 14, kMostStrips = 24;
constexpr std::size_t kReleasesFrom = 5;  // kernels, to be a history of their own

std::vector<double> all_values(const std::vector<Row>& rows) {
  std::vector<double> values;
  for (const auto& row : rows)
    for (const auto& cell : row.cells)
      values.insert(values.end(), cell.boots.begin(), cell.boots.end());
  return values;
}

std::string named(const ComparisonFacts& facts, const Series& series) {
  return facts.run.more_scenarios.empty() ? series.metric.name
                                          : series.scenario + ": " + series.metric.name;
}

std::string line_style(std::size_t i) {
  return fmt::format("lc rgb '{}' pt {} dt {} lw 1.8 ps 0.8", kColours[i % kColours.size()],
                     kPoints[i % kPoints.size()], 1 + i / kColours.size() % 4);
}

Plot mark_plot(const ComparisonFacts& facts, const Series& series) {
  std::string script = value_axis(all_values(series.rows), value_label(series.metric));
  script += "set xlabel 'items that exist (mark)'\nset offsets graph 0.03, graph 0.03\n";
  std::vector<std::string> parts;
  for (std::size_t column = 0; column < facts.columns.size(); ++column) {
    DataBlock line(fmt::format("line{}", column));
    for (const auto& row : series.rows)
      if (const auto value = centre(row.cells[column]))
        line.add({static_cast<double>(row.mark), *value});
    if (line.empty()) continue;
    script += line.text();
    parts.push_back(fmt::format("${} using 1:2 with linespoints {} title {}", line.name(),
                                line_style(column), plot_text(column_label(facts, column))));
  }
  return {fmt::format("{} against marks, for each kernel and variant: the mean over boots.",
                      named(facts, series)),
          script + plot_command(parts)};
}

/// One strip a column: each boot, and a bar at their mean.
Plot distribution_plot(const ComparisonFacts& facts, const Series& series) {
  const Row& row = series.rows.front();
  std::string script = value_axis(all_values({row}), value_label(series.metric, row.mark));
  DataBlock boots("boots"), means("means");
  std::vector<std::string> tics;
  for (std::size_t column = 0; column < facts.columns.size(); ++column) {
    const double x = static_cast<double>(column);
    const auto& values = row.cells[column].boots;
    for (std::size_t i = 0; i < values.size(); ++i)
      boots.add(
          {x + 0.5 * (static_cast<double>(i) + 0.5) / static_cast<double>(values.size()) - 0.25,
           values[i]});
    if (const auto mean = centre(row.cells[column])) means.add({x - 0.32, *mean, 0.64, 0});
    tics.push_back(fmt::format("{} {}", plot_text(column_label(facts, column)), column));
  }
  script += boots.text() + means.text();
  script += fmt::format("set xtics ({}){}\nset xrange [-0.7:{:.2f}]\nset key off\n",
                        fmt::join(tics, ", "), facts.columns.size() > 2 ? " rotate by -30" : "",
                        static_cast<double>(facts.columns.size()) - 0.3);
  std::vector<std::string> parts;
  if (!boots.empty())
    parts.push_back(
        fmt::format("$boots using 1:2 with points pt 7 ps 0.7 lc rgb '{}'", kColours[0]));
  if (!means.empty())
    parts.push_back(
        fmt::format("$means using 1:2:3:4 with vectors nohead lw 2.5 lc rgb '{}'", kColours[1]));
  const auto at = row.mark > 0 ? fmt::format(" at {}", row.mark) : "";
  return {fmt::format("{}{}: every boot of each kernel, the bar is their mean.",
                      named(facts, series), at),
          script + plot_command(parts)};
}

/// Kernels in the order given, one line for each variant and machine.
struct ReleaseLine {
  std::string name;
  DataBlock points;
};

std::vector<std::string> kernels_in_order(const ComparisonFacts& facts) {
  std::vector<std::string> kernels;
  for (const auto& column : facts.columns) {
    const auto name = kernel_name(column.spec);
    if (std::ranges::find(kernels, name) == kernels.end()) kernels.push_back(name);
  }
  return kernels;
}

/// Mean and its 95 % interval, from the logarithms of the boots.
void add_point(DataBlock& points, double x, const Cell& cell) {
  const auto value = centre(cell);
  if (!value) return;
  double low = *value, high = *value;
  std::vector<double> logs;
  for (const double boot : cell.boots)
    if (boot > 0) logs.push_back(std::log(boot));
  const auto variance = stats::variance(logs);
  if (variance && logs.size() == cell.boots.size()) {
    const double n = static_cast<double>(logs.size());
    const double half =
        stats::student_quantile(0.975, n - 1).value_or(0) * std::sqrt(*variance / n);
    low *= std::exp(-half);
    high *= std::exp(half);
  }
  points.add({x, *value, low, high});
}

std::vector<ReleaseLine> release_lines(const ComparisonFacts& facts, const Row& row,
                                       const std::vector<std::string>& kernels) {
  std::vector<ReleaseLine> lines;
  for (std::size_t column = 0; column < facts.columns.size(); ++column) {
    const auto name = axis_name(facts.columns[column]);
    auto line = std::ranges::find(lines, name, &ReleaseLine::name);
    if (line == lines.end())
      line = lines.insert(line, {name, DataBlock(fmt::format("line{}", lines.size()))});
    const auto place = std::ranges::find(kernels, kernel_name(facts.columns[column].spec));
    add_point(line->points, static_cast<double>(place - kernels.begin()), row.cells[column]);
  }
  return lines;
}

Plot release_plot(const ComparisonFacts& facts, const Series& series, const Row& row,
                  const std::vector<std::string>& kernels) {
  std::string script = value_axis(all_values({row}), value_label(series.metric, row.mark));
  std::vector<std::string> tics, parts;
  const auto every = std::max<std::size_t>(1, kernels.size() / 24);
  for (std::size_t i = 0; i < kernels.size(); i += every)
    tics.push_back(fmt::format("{} {}", plot_text(kernels[i]), i));
  script += fmt::format("set xtics ({}) rotate by -45\nset xrange [-0.5:{:.1f}]\n",
                        fmt::join(tics, ", "), static_cast<double>(kernels.size()) - 0.5);
  auto lines = release_lines(facts, row, kernels);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].points.empty()) continue;
    script += lines[i].points.text();
    parts.push_back(fmt::format("${} using 1:2 with linespoints {} title {}",
                                lines[i].points.name(), line_style(i), plot_text(lines[i].name)));
    parts.push_back(fmt::format("'' using 1:2:3:4 with yerrorbars lc rgb '{}' pt 0 notitle",
                                kColours[i % kColours.size()]));
    parts.back().replace(0, 2, "$" + lines[i].points.name());
  }
  const auto at = row.mark > 0 ? fmt::format(" at {}", row.mark) : "";
  return {fmt::format("{}{} over releases, with 95 % intervals.", named(facts, series), at),
          script + plot_command(parts)};
}

}  // namespace

std::vector<Plot> mark_plots(const ComparisonFacts& facts) {
  std::vector<Plot> plots;
  if (facts.columns.size() > kMostLines) return plots;
  for (const auto& series : facts.series)
    if (series.rows.size() > 1 && plots.size() < kMostSeries)
      plots.push_back(mark_plot(facts, series));
  return plots;
}

std::vector<Plot> distribution_plots(const ComparisonFacts& facts) {
  std::vector<Plot> plots;
  if (facts.columns.size() > kMostStrips) return plots;
  for (const auto& series : facts.series)
    if (!series.rows.empty() && plots.size() < kMostSeries &&
        !all_values({series.rows.front()}).empty())
      plots.push_back(distribution_plot(facts, series));
  return plots;
}

std::vector<Plot> release_plots(const ComparisonFacts& facts) {
  std::vector<Plot> plots;
  const auto kernels = kernels_in_order(facts);
  if (kernels.size() < kReleasesFrom) return plots;
  for (const auto& series : facts.series)
    for (const auto& row : series.rows)
      if (plots.size() < kMostSeries && !all_values({row}).empty())
        plots.push_back(release_plot(facts, series, row, kernels));
  return plots;
}

std::vector<Plot> plots_of(const ComparisonFacts& facts) {
  auto plots = release_plots(facts);
  for (auto& plot : mark_plots(facts)) plots.push_back(std::move(plot));
  for (auto& plot : distribution_plots(facts)) plots.push_back(std::move(plot));
  return plots;
}

}  // namespace bisect_run::report
