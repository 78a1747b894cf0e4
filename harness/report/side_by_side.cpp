#include "report/side_by_side.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/columns.h"
#include "report/compare_report.h"
#include "report/numbers.h"

namespace bisect_run::report {
namespace {

constexpr std::size_t kMark = 4, kNumber = 8, kLongestName = 14, kChange = 8, kBar = 2;
constexpr std::size_t kRoom = kWidth - kMark - kBar;

using Places = std::vector<std::size_t>;

/// One of the two tables.
struct Table {
  const ComparisonFacts& facts;
  const Series& series;

  /// The number's, with the blank before it.
  std::size_t number_width(std::size_t column) const {
    if (column > 0) return 1 + kNumber;
    return 1 + std::clamp(kernel_name(facts.columns[0].spec).size(), kNumber, kLongestName);
  }
  std::size_t width(std::size_t column) const {
    return number_width(column) + (column > 0 ? kChange : 0);  // the first has nothing before it
  }
  std::size_t width(const Places& columns) const {
    std::size_t sum = 0;
    for (const auto column : columns) sum += width(column);
    return sum;
  }
  Places of_variant(const std::string& variant) const {
    Places places;
    for (std::size_t i = 0; i < facts.columns.size(); ++i)
      if (facts.columns[i].spec.variant == variant) places.push_back(i);
    return places;
  }
  const Row* row(std::int64_t mark) const {
    const auto found = std::ranges::find(series.rows, mark, &Row::mark);
    return found == series.rows.end() ? nullptr : &*found;
  }
};

/// As many in each group as fit into `room`; at least one group, at least one column in each.
std::vector<Places> groups_of(const Table& table, const Places& columns, std::size_t room) {
  std::vector<Places> groups(1);
  for (const auto column : columns) {
    auto& last = groups.back();
    if (!last.empty() && table.width(last) + table.width(column) > room) groups.emplace_back();
    groups.back().push_back(column);
  }
  return groups;
}

std::size_t widest(const Table& table, const Places& columns) {
  std::size_t most = 0;
  for (const auto column : columns) most = std::max(most, table.width(column));
  return most;
}

/// A word over each column, where its numbers are; it is told how wide it may be.
template <class Word>
std::string words(const Table& table, const Places& columns, Word word) {
  std::string text;
  for (const auto column : columns) {
    const auto shown = word(table.facts.columns[column], table.width(column) - 1);
    text +=
        left(shown.size() < table.number_width(column) ? right(shown, table.number_width(column))
                                                       : " " + shown,
             table.width(column));
  }
  return text;
}

std::string numbers(const Table& table, const Places& columns, std::int64_t mark) {
  std::string text;
  const Row* row = table.row(mark);
  for (const auto column : columns) {
    if (!row) {
      text += std::string(table.width(column), ' ');
      continue;
    }
    const auto value = centre(row->cells[column]);
    text += right(value_text(value), table.number_width(column));
    if (column > 0) text += left(bracketed_change(centre(row->cells[0]), value), kChange);
  }
  return text;
}

/// A side without columns is empty, and then there is no bar.
std::string line(std::string_view name, std::string_view ours, std::string_view theirs) {
  const auto* bar = ours.empty() || theirs.empty() ? "" : " |";
  return without_end(fmt::format("{:>{}}{}{}{}", name, kMark, ours, bar, theirs)) + "\n";
}

std::string block(const Table& ours, const Places& left_side, const Table& theirs,
                  const Places& right_side, const std::string& published) {
  const auto both = [&](std::string_view name, auto word) {
    return line(name, words(ours, left_side, word), words(theirs, right_side, word));
  };
  std::string text = line("", left(left_side.empty() ? "" : " this run", ours.width(left_side)),
                          right_side.empty() ? "" : " " + published);
  text += both(
      "", [](const Column& column, std::size_t width) { return kernel_name(column.spec, width); });
  const bool cpus_differ = std::ranges::any_of(ours.facts.columns, [&](const Column& column) {
    return column.machine.cpus != ours.facts.columns[0].machine.cpus;
  });
  if (cpus_differ && !left_side.empty())
    text += line("cpus",
                 words(ours, left_side,
                       [](const Column& column, std::size_t) {
                         return fmt::format("{}", column.machine.cpus);
                       }),
                 std::string(theirs.width(right_side), ' '));
  text += both("mark", [](const Column& column, std::size_t width) {
    return cut(column.spec.variant, width);
  });
  std::set<std::int64_t> marks;
  if (!left_side.empty())
    for (const auto& row : ours.series.rows) marks.insert(row.mark);
  if (!right_side.empty())
    for (const auto& row : theirs.series.rows) marks.insert(row.mark);
  for (const auto mark : marks)
    text += line(mark > 0 ? fmt::format("{}", mark) : "", numbers(ours, left_side, mark),
                 numbers(theirs, right_side, mark));
  return text;
}

/// Ours in their order, then those that only the other table has.
std::vector<std::string> variants_of(const Table& ours, const Table& theirs) {
  std::vector<std::string> variants;
  for (const auto* table : {&ours, &theirs})
    for (const auto& column : table->facts.columns)
      if (std::ranges::find(variants, column.spec.variant) == variants.end())
        variants.push_back(column.spec.variant);
  return variants;
}

}  // namespace

std::string side_by_side(const ComparisonFacts& ours, const Series& measured,
                         const Reference& reference, const Series& published) {
  const Table mine{ours, measured}, other{reference.comparison, published};
  std::string text = fmt::format("{}, {}\n", measured.metric.name, unit_text(measured.metric));
  bool first = true;
  for (const auto& variant : variants_of(mine, other)) {
    const auto own = mine.of_variant(variant);
    for (const auto& theirs :
         groups_of(other, other.of_variant(variant), kRoom - widest(mine, own)))
      for (const auto& group : groups_of(mine, own, kRoom - other.width(theirs))) {
        text += (first ? "" : "\n") + block(mine, group, other, theirs, reference.name);
        first = false;
      }
  }
  return text;
}

}  // namespace bisect_run::report
