#include "stats/matrix.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "stats/distributions.h"

namespace bisect_run::stats {
namespace {

std::vector<double> logarithms(const std::vector<double>& values) {
  std::vector<double> logs;
  for (const double value : values) logs.push_back(std::log(value));
  return logs;
}

/// Welch's two-sided p. The beta function is used directly: 1 - student_cdf would lose all digits
/// of the small p that a correction asks for.
std::optional<double> welch_p(const MatrixCell& cell) {
  if (cell.base.size() < 2 || cell.other.size() < 2) return std::nullopt;
  const auto base = logarithms(cell.base), other = logarithms(cell.other);
  const auto base_mean = mean(base), other_mean = mean(other);
  const auto base_variance = variance(base), other_variance = variance(other);
  if (!base_mean || !other_mean || !base_variance || !other_variance) return std::nullopt;
  const double n_base = static_cast<double>(base.size());
  const double n_other = static_cast<double>(other.size());
  const double square = *base_variance / n_base + *other_variance / n_other;
  const double apart = std::fabs(*other_mean - *base_mean);
  if (square == 0) return apart == 0 ? 1.0 : 0.0;
  const double base_share = *base_variance / n_base / square;
  const double other_share = *other_variance / n_other / square;
  const double df =
      1 / (base_share * base_share / (n_base - 1) + other_share * other_share / (n_other - 1));
  return incomplete_beta(df / 2, 0.5, df / (df + apart * apart / square));
}

bool usable(const MatrixCell& cell) {
  const auto positive = [](double value) { return value > 0 && std::isfinite(value); };
  return !cell.base.empty() && !cell.other.empty() && std::ranges::all_of(cell.base, positive) &&
         std::ranges::all_of(cell.other, positive);
}

bool within(const Effect& effect, double min_effect) {
  return effect.interval && effect.interval->low >= -min_effect &&
         effect.interval->high <= min_effect;
}

std::optional<JudgedCell> measured(const MatrixCell& cell) {
  if (!usable(cell)) return std::nullopt;
  JudgedCell judged;
  if (cell.same_kernel) {
    judged.verdict = CellVerdict::same;
    judged.effect = {0, Interval{0, 0}};
    return judged;
  }
  const auto effect = relative_effect(cell.base, cell.other);
  if (!effect) return std::nullopt;
  judged.effect = *effect;
  judged.p = welch_p(cell);
  return judged;
}

CellVerdict direction(const MatrixCell& cell, const JudgedCell& judged) {
  const bool up = judged.effect.value > 0;
  return up == (cell.better == Better::higher) ? CellVerdict::faster : CellVerdict::slower;
}

}  // namespace

std::string_view to_string(CellVerdict verdict) {
  switch (verdict) {
    case CellVerdict::faster:
      return "faster";
    case CellVerdict::slower:
      return "slower";
    case CellVerdict::same:
      return "same";
    case CellVerdict::undecided:
      return "undecided";
  }
  return "undecided";
}

std::vector<std::optional<JudgedCell>> judge(std::span<const MatrixCell> cells,
                                             const MatrixRule& rule) {
  std::vector<std::optional<JudgedCell>> judged;
  for (const auto& cell : cells) judged.push_back(measured(cell));

  std::vector<std::size_t> tested;
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (judged[i] && judged[i]->p) tested.push_back(i);
  std::ranges::stable_sort(tested, {}, [&](std::size_t i) { return *judged[i]->p; });

  bool called = true;  // Holm steps down from the smallest p and stops at the first that is too big
  for (std::size_t rank = 0; rank < tested.size(); ++rank) {
    const std::size_t i = tested[rank];
    JudgedCell& cell = *judged[i];
    const double allowed = rule.error / rule.looks / static_cast<double>(tested.size() - rank);
    called = called && *cell.p <= allowed;
    if (within(cell.effect, rule.min_effect))
      cell.verdict = CellVerdict::same;
    else if (called)
      cell.verdict = direction(cells[i], cell);
  }
  return judged;
}

std::vector<int> look_schedule(int first, int most) {
  std::vector<int> looks{std::max(1, first)};
  while (looks.back() < most)
    looks.push_back(
        static_cast<int>(std::min<std::int64_t>(most, (3 * std::int64_t{looks.back()} + 1) / 2)));
  return looks;
}

}  // namespace bisect_run::stats
