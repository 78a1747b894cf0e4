#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/answer_words.h"
#include "report/columns.h"
#include "report/numbers.h"
#include "report/plot_parts.h"
#include "stats/summary.h"

namespace bisect_run::report {
namespace {

constexpr std::size_t kMostBins = 300;

/// Where the commits stand on the axis: in the order of history, or of the probes without it.
class Places {
 public:
  explicit Places(const BisectFacts& facts) : whole_(facts.candidates > 0) {
    for (std::size_t i = 0; i < facts.probes.size(); ++i) number_[facts.probes[i].oid.hex] = i;
    if (whole_)
      for (const auto& boot : facts.boots)
        if (boot.place) number_[boot.commit.hex] = *boot.place;
  }
  std::optional<double> of(const Oid& commit) const {
    const auto found = number_.find(commit.hex);
    return found == number_.end() ? std::nullopt
                                  : std::optional(static_cast<double>(found->second));
  }
  bool whole() const { return whole_; }
  double last(const BisectFacts& facts) const {
    return static_cast<double>(whole_ ? facts.candidates : facts.probes.size());
  }

 private:
  bool whole_;
  std::map<std::string, std::size_t> number_;
};

Outcome outcome_of(const BisectFacts& facts, const Oid& commit) {
  for (const auto& probe : facts.probes)
    if (probe.oid == commit) return probe.outcome;
  return Outcome::undecided;
}

std::optional<double> level_of(const BisectFacts& facts, const Oid& commit) {
  std::vector<double> values;
  for (const auto& boot : facts.boots)
    if (boot.commit == commit && boot.value) values.push_back(*boot.value);
  return stats::median(values);
}

/// Boots of one commit stand side by side, so that none hides another.
std::vector<DataBlock> boots_by_outcome(const BisectFacts& facts, const Places& places) {
  std::vector<DataBlock> blocks{DataBlock("good"), DataBlock("bad"), DataBlock("open")};
  std::map<std::string, int> seen;
  const double step = std::max(places.last(facts), 8.0) / 220;
  for (const auto& boot : facts.boots) {
    const auto place = places.of(boot.commit);
    if (!place || !boot.value) continue;
    const int nth = seen[boot.commit.hex]++;
    const double aside = step * ((nth + 1) / 2) * (nth % 2 == 0 ? 1 : -1);
    const auto outcome = outcome_of(facts, boot.commit);
    const std::size_t block = outcome == Outcome::good ? 0 : outcome == Outcome::bad ? 1 : 2;
    blocks[block].add({*place + aside, *boot.value});
  }
  return blocks;
}

std::string boots_script(const BisectFacts& facts, const Places& places) {
  std::vector<double> values;
  for (const auto& boot : facts.boots)
    if (boot.value) values.push_back(*boot.value);
  std::string script = value_axis(values, value_label(facts.metric, facts.mark));
  std::vector<std::string> parts;
  const auto level = [&](const KernelSpec& end, const char* colour, const char* title) {
    if (const auto at = level_of(facts, end.commit))
      parts.push_back(
          fmt::format("{:.6g} with lines dt 2 lw 1.5 lc rgb '{}' title '{}'", *at, colour, title));
  };
  level(facts.good, kColours[0], "level of GOOD");
  level(facts.bad, kColours[1], "level of BAD");
  const char* names[] = {"like GOOD", "like BAD", "undecided"};
  const int colours[] = {0, 1, 6};
  const auto blocks = boots_by_outcome(facts, places);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].empty()) continue;
    script += blocks[i].text();
    parts.push_back(fmt::format("${} using 1:2 with points pt {} ps 0.8 lc rgb '{}' title '{}'",
                                blocks[i].name(), kPoints[i], kColours[colours[i]], names[i]));
  }
  return script + plot_command(parts);
}

/// The posterior in at most kMostBins bars, each the sum over its commits.
std::string posterior_script(const BisectFacts& facts) {
  const std::size_t commits = facts.suspicion.size();
  const std::size_t a_bin = (commits + kMostBins - 1) / kMostBins;
  DataBlock bars("mass");
  for (std::size_t first = 0; first < commits; first += a_bin) {
    double sum = 0;
    const auto last = std::min(commits, first + a_bin);
    for (std::size_t i = first; i < last; ++i) sum += facts.suspicion[i];
    bars.add({static_cast<double>(first + last + 1) / 2, sum});
  }
  return fmt::format(
      "{}unset logscale y\nset yrange [0:1]\nset ytics 0.5\nset ylabel 'probability'\n"
      "set boxwidth {}\nset style fill solid 0.8 noborder\n"
      "plot ${} using 1:2 with boxes lc rgb '{}' title '{}'\n",
      bars.text(), a_bin, bars.name(), kColours[2],
      a_bin > 1 ? fmt::format("of {} commits together", a_bin) : std::string("of each commit"));
}

std::string answer_mark(const BisectFacts& facts, const Places& places) {
  if (!facts.answer || facts.answer->kind != Answer::Kind::commit) return {};
  const auto& commit = facts.answer->commits.front();
  const auto place = places.of(commit.oid);
  if (!place) return {};
  return fmt::format(
      "set arrow 1 from {0:.6g}, graph 0 to {0:.6g}, graph 1 nohead dt 3 lw 1.2\n"
      "set label 1 {1} at {0:.6g}, graph 0.97 {2} offset {3},0\n",
      *place, plot_text(commit.oid.abbreviated()),
      *place > places.last(facts) / 2 ? "right" : "left",
      *place > places.last(facts) / 2 ? "-0.7" : "0.7");
}

Plot course_plot(const BisectFacts& facts) {
  const Places places(facts);
  std::string script = fmt::format("set xrange [{:.6g}:{:.6g}]\n", -0.02 * places.last(facts) - 0.5,
                                   1.02 * places.last(facts) + 0.5) +
                       answer_mark(facts, places);
  const auto axis = places.whole()
                        ? fmt::format("commits in their order, 0: {}", kernel_name(facts.good, 14))
                        : std::string("commits that were tried, in order");
  const auto label = fmt::format("set xlabel {}\n", plot_text(axis));
  if (facts.suspicion.empty()) {
    script += label + boots_script(facts, places);
  } else {
    script += "set multiplot\nset lmargin 11\nset rmargin 2\nset origin 0,0.34\nset size 1,0.66\n" +
              boots_script(facts, places) +
              "unset label 1\nset origin 0,0\nset size 1,0.36\nset key off\n" + label +
              posterior_script(facts) + "unset multiplot\n";
  }
  auto what =
      std::string("Every boot against the order of the commits, with the levels of both ends");
  what += facts.suspicion.empty() ? "." : "; below, the probability of each commit to be the one.";
  if (!facts.beside.empty())
    what +=
        " Commits behind the answer that are like GOOD lie on branches that do not have it: the "
        "order is one of many that put parents first.";
  return {what, std::move(script), {880, 540}, {380, 520}};
}

}  // namespace

std::vector<Plot> plots_of(const BisectFacts& facts) {
  std::vector<Plot> plots;
  const bool any =
      std::ranges::any_of(facts.boots, [](const auto& boot) { return boot.value.has_value(); });
  if (any) plots.push_back(course_plot(facts));
  if (!facts.levels) return plots;
  for (auto& plot : mark_plots(*facts.levels)) plots.push_back(std::move(plot));
  for (auto& plot : distribution_plots(*facts.levels)) plots.push_back(std::move(plot));
  return plots;
}

}  // namespace bisect_run::report
