#include <fmt/format.h>

#include <algorithm>

#include "report/columns.h"
#include "report/numbers.h"
#include "report/reference.h"
#include "report/side_by_side.h"

namespace bisect_run::report {
namespace {

/// The facts with one metric only.
ComparisonFacts only(const ComparisonFacts& facts, const Series& series) {
  ComparisonFacts one = facts;
  one.series = {series};
  return one;
}

/// Modes are different measurements: numbers of two stand beside each other, no more.
std::string mode_note(const ComparisonFacts& ours, const Reference& reference) {
  if (reference.mode.empty() || ours.run.mode.empty() || ours.run.mode == reference.mode) return {};
  const auto words = fmt::format(
      "{} started `ip` for each action (mode {}), this run is mode {}: not comparable; "
      "--mode {} measures the same",
      reference.name, reference.mode, ours.run.mode, reference.mode);
  return "\n" + wrapped(words, 2) + "\n";
}

/// The first column may stand in another block than the change against it.
std::string base_note(const ComparisonFacts& ours, const Reference& reference) {
  const auto name = [](const ComparisonFacts& facts) {
    const auto& spec = facts.columns.at(0).spec;
    return fmt::format("{}@{}", kernel_name(spec), spec.variant);
  };
  return "\n" +
         wrapped(fmt::format("(%): the change against {} on the left, against {} on the right",
                             name(ours), name(reference.comparison)),
                 2) +
         "\n";
}

}  // namespace

std::string reference_text(const Reference& reference) {
  std::string text = fmt::format("{}, as published\n\n", reference.name);
  if (!reference.comparison.series.empty()) text += tinoco_style(reference.comparison);
  for (const auto& group : reference.groups) {
    const bool timed = std::ranges::any_of(
        group.totals, [](const auto& total) { return total.user_s.has_value(); });
    const bool addresses =
        std::ranges::any_of(group.totals, [](const auto& total) { return total.phase == "addr"; });
    text +=
        fmt::format("{}:\n\n{}\n", group.title,
                    timed || !addresses ? bligh_style(group.totals) : greear_style(group.totals));
  }
  for (const auto& block : reference.blocks) text += dumazet_style(block) + "\n";
  return text;
}

std::string against_text(const ComparisonFacts& ours, const Reference& reference) {
  std::string text;
  bool common = false;
  for (const auto& series : ours.series) {
    const auto& all = reference.comparison.series;
    const auto published = std::ranges::find_if(
        all, [&](const Series& each) { return each.metric.name == series.metric.name; });
    common = common || published != all.end();
    text += (text.empty() ? "" : "\n") + (published == all.end()
                                              ? tinoco_style(only(ours, series))
                                              : side_by_side(ours, series, reference, *published));
  }
  if (common) return text + base_note(ours, reference) + mode_note(ours, reference);
  if (!reference.comparison.series.empty())
    text += fmt::format("\n{} has none of these metrics\n", reference.name);
  return text + "\n" + reference_text(reference) + mode_note(ours, reference);
}

}  // namespace bisect_run::report
