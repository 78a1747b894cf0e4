#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "report/columns.h"
#include "report/compare_report.h"
#include "report/numbers.h"
#include "report/styles.h"

namespace bisect_run::report {
namespace {

constexpr std::size_t kMark = 4, kNumber = 8, kChange = 8;

/// How many columns fit: each is a number and a change; the first has no change.
constexpr std::size_t kTinocoColumns = 1 + (kWidth - kMark - 1 - kNumber) / (1 + kNumber + kChange);

std::size_t width_of(std::size_t column) {
  return column == 0 ? kNumber : kNumber + kChange;
}

/// Each kernel once, over all its variants.
std::string kernel_line(const ComparisonFacts& facts, std::size_t first, std::size_t last) {
  std::string line(kMark, ' ');
  for (std::size_t i = first; i < last;) {
    const auto& spec = facts.columns[i].spec;
    std::size_t width = width_of(i), next = i + 1;
    for (; next < last && typed_name(facts.columns[next].spec) == typed_name(spec); ++next)
      width += 1 + width_of(next);
    if (next == last) width = std::max(width, kWidth - line.size() - 1);  // nothing follows
    const auto shown = kernel_name(spec, width);
    line += " " + left(shown.size() < kNumber ? right(shown, kNumber) : shown, width);
    i = next;
  }
  return without_end(line) + "\n";
}

template <class Word>
std::string word_line(std::string_view name, std::size_t first, std::size_t last, Word word) {
  std::string line = left(name, kMark);
  for (std::size_t i = first; i < last; ++i)
    line += " " + left(right(word(i), kNumber), width_of(i));
  return without_end(line) + "\n";
}

std::string tinoco_heading(const ComparisonFacts& facts, std::size_t first, std::size_t last) {
  const auto& columns = facts.columns;
  std::string text = kernel_line(facts, first, last);
  const bool cpus_differ = std::ranges::any_of(columns, [&](const Column& column) {
    return column.machine.cpus != columns[0].machine.cpus;
  });
  if (cpus_differ)
    text += word_line("cpus", first, last,
                      [&](std::size_t i) { return fmt::format("{}", columns[i].machine.cpus); });
  return text +
         word_line("mark", first, last, [&](std::size_t i) { return columns[i].spec.variant; });
}

std::string tinoco_row(const Row& row, std::size_t first, std::size_t last) {
  std::string text =
      row.mark > 0 ? right(fmt::format("{}", row.mark), kMark) : std::string(kMark, ' ');
  for (std::size_t i = first; i < last; ++i) {
    const auto value = centre(row.cells[i]);
    text += " " + right(value_text(value), kNumber);
    if (i > 0) text += left(bracketed_change(centre(row.cells[0]), value), kChange);
  }
  return without_end(text) + "\n";
}

std::string tinoco_series(const ComparisonFacts& facts, const Series& series) {
  std::string text = fmt::format("{}, {}\n", series.metric.name, unit_text(series.metric));
  for (std::size_t first = 0; first < facts.columns.size();) {
    const auto last = std::min(facts.columns.size(), first + kTinocoColumns - (first > 0 ? 1 : 0));
    text += tinoco_heading(facts, first, last);
    for (const auto& row : series.rows) text += tinoco_row(row, first, last);
    first = last;
    if (first < facts.columns.size()) text += "\n";
  }
  return text;
}

std::optional<double> mean_of(const Metric& metric, const Cell& cell) {
  return metric.better == stats::Better::higher ? stats::harmonic_mean(cell.boots)
                                                : stats::mean(cell.boots);
}

/// The gain against the first column in percent; positive is better, whichever way the metric goes.
std::string gain_text(const Metric& metric, std::optional<double> base,
                      std::optional<double> value) {
  if (!base || !value || *base == 0) return {};
  const double change = (*value / *base - 1) * 100;
  return fmt::format("({:7.2f}%)", metric.better == stats::Better::higher ? change : -change + 0.0);
}

constexpr std::size_t kMmLabel = 24, kMmCell = 26;
constexpr std::size_t kMmColumns = (kWidth - kMmLabel) / kMmCell;

std::string mmtests_block(const ComparisonFacts& facts, std::size_t first, std::size_t last) {
  std::string names(kMmLabel, ' '), variants(kMmLabel, ' ');
  for (std::size_t i = first; i < last; ++i) {
    names += right(kernel_name(facts.columns[i].spec, kMmCell - 2), kMmCell);
    variants += right(axis_name(facts.columns[i]), kMmCell);
  }
  std::string text = names + "\n" + variants + "\n";
  for (const auto& series : facts.series)
    for (const auto& row : series.rows) {
      const auto* kind = series.metric.better == stats::Better::higher ? "Hmean" : "Amean";
      const auto label =
          row.mark > 0 ? fmt::format("{}-{}", series.metric.name, row.mark) : series.metric.name;
      text += fmt::format("{:<7}{}", kind, left(label, kMmLabel - 7));
      const auto base = mean_of(series.metric, row.cells[0]);
      for (std::size_t i = first; i < last; ++i) {
        const auto value = mean_of(series.metric, row.cells[i]);
        const auto gain = gain_text(series.metric, base, value);
        text += right(fmt::format("{} {:>10}", value_text(value), gain), kMmCell);
      }
      text = without_end(text) + "\n";
    }
  return text;
}

constexpr std::array<std::pair<std::string_view, Style>, 6> kStyles{{{"table", Style::table},
                                                                     {"greear", Style::greear},
                                                                     {"bligh", Style::bligh},
                                                                     {"tinoco", Style::tinoco},
                                                                     {"dumazet", Style::dumazet},
                                                                     {"mmtests", Style::mmtests}}};

}  // namespace

std::string tinoco_style(const ComparisonFacts& facts) {
  std::string text;
  for (const auto& series : facts.series)
    text += (text.empty() ? "" : "\n") + tinoco_series(facts, series);
  return text;
}

std::string mmtests_style(const ComparisonFacts& facts) {
  std::string text;
  for (std::size_t first = 0; first < facts.columns.size(); first += kMmColumns)
    text += (first > 0 ? "\n" : "") +
            mmtests_block(facts, first, std::min(first + kMmColumns, facts.columns.size()));
  return text;
}

Result<Style> style_from(std::string_view name) {
  std::string known;
  for (const auto& [word, style] : kStyles) {
    if (word == name) return style;
    known += (known.empty() ? "" : ", ") + std::string(word);
  }
  return fail(ErrorKind::usage, fmt::format("no style '{}'; one of: {}", name, known));
}

}  // namespace bisect_run::report
