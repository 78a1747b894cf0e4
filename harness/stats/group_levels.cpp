#include "stats/group_levels.h"

#include <algorithm>
#include <cmath>

namespace bisect_run::stats {
namespace {

using Matrix = std::vector<std::vector<double>>;

/// Inverse and log determinant of a small positive definite matrix, by Gauss-Jordan.
struct Inverse {
  Matrix matrix;
  double log_det = 0;
};

Inverse invert(Matrix a) {
  const std::size_t n = a.size();
  Inverse inverse{Matrix(n, std::vector<double>(n, 0)), 0};
  for (std::size_t i = 0; i < n; ++i) inverse.matrix[i][i] = 1;
  for (std::size_t k = 0; k < n; ++k) {
    const double pivot = std::max(a[k][k], 1e-300);
    inverse.log_det += std::log(pivot);
    for (std::size_t j = 0; j < n; ++j) {
      a[k][j] /= pivot;
      inverse.matrix[k][j] /= pivot;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = a[i][k];
      for (std::size_t j = 0; j < n; ++j) {
        a[i][j] -= factor * a[k][j];
        inverse.matrix[i][j] -= factor * inverse.matrix[k][j];
      }
    }
  }
  return inverse;
}

}  // namespace

std::optional<GroupLevels> fit_groups(const WhitenedDots& data,
                                      std::span<const std::size_t> group_of, std::size_t groups,
                                      const Prior& prior) {
  Matrix precision(groups, std::vector<double>(groups, 0));
  std::vector<double> right(groups, 0);
  std::vector<bool> seen(groups, false);
  for (std::size_t a = 0; a < data.builds(); ++a) {
    seen[group_of[a]] = true;
    right[group_of[a]] += data.build_y(a);
    for (std::size_t b = 0; b < data.builds(); ++b)
      precision[group_of[a]][group_of[b]] += data.build_build(a, b);
  }
  if (std::find(seen.begin(), seen.end(), false) != seen.end()) return std::nullopt;
  for (std::size_t g = 0; g < groups; ++g) precision[g][g] += 1 / prior.k_mu;
  const Inverse inverse = invert(precision);
  GroupLevels levels;
  double explained = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    double level = 0;
    for (std::size_t h = 0; h < groups; ++h) level += inverse.matrix[g][h] * right[h];
    levels.level.push_back(level);
    explained += level * right[g];
  }
  const double a = prior.a0 + static_cast<double>(data.boots()) / 2;
  const double b = prior.b0 + std::max(0.0, data.yy() - explained) / 2;
  levels.covariance = inverse.matrix;
  for (std::vector<double>& row : levels.covariance)
    for (double& entry : row) entry *= b / a;
  levels.log_ml = -0.5 * data.log_det() - 0.5 * inverse.log_det - a * std::log(b);
  return levels;
}

std::optional<Position> position(const GroupLevels& levels, std::size_t from, std::size_t to,
                                 std::size_t which) {
  const double whole = levels.level[to] - levels.level[from];
  Position found;
  found.at = (levels.level[which] - levels.level[from]) / whole;
  if (!std::isfinite(found.at)) return std::nullopt;
  std::vector<double> slope(levels.level.size(), 0);
  slope[which] += 1 / whole;
  slope[to] -= found.at / whole;
  slope[from] -= (1 - found.at) / whole;
  double variance = 0;
  for (std::size_t i = 0; i < slope.size(); ++i)
    for (std::size_t j = 0; j < slope.size(); ++j)
      variance += slope[i] * slope[j] * levels.covariance[i][j];
  found.error = std::sqrt(std::max(0.0, variance));
  if (!std::isfinite(found.error)) return std::nullopt;
  return found;
}

}  // namespace bisect_run::stats
