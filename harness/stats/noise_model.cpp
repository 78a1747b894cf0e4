#include "stats/noise_model.h"

#include <algorithm>
#include <cmath>

namespace bisect_run::stats {
namespace {

constexpr double kNight = 28800;  // seconds
constexpr double kLeastPivot = 1e-12;

struct Weighted {
  double value;
  double weight;
};
constexpr std::array<Weighted, 4> kDrift{{{0.05, 0.2}, {0.5, 0.3}, {1.5, 0.3}, {4, 0.2}}};
constexpr std::array<Weighted, 3> kLayout{{{0, 0.75}, {0.1, 0.2}, {0.5, 0.05}}};

NoiseCell cell(const Weighted& drift, double rho_u, double weight) {
  return {drift.value * drift.value / kNight, rho_u, std::log(weight)};
}

double dot(const std::vector<double>& a, const std::vector<double>& b, std::size_t count) {
  // Four sums, so that the additions do not wait for one another.
  double sum[4] = {0, 0, 0, 0};
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) sum[lane] += a[i + lane] * b[i + lane];
  for (; i < count; ++i) sum[0] += a[i] * b[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace

const std::vector<NoiseCell>& noise_grid() {
  static const std::vector<NoiseCell> kGrid = [] {
    std::vector<NoiseCell> grid;
    for (const Weighted& drift : kDrift)
      for (const Weighted& layout : kLayout)
        grid.push_back(cell(drift, layout.value, drift.weight * layout.weight));
    return grid;
  }();
  return kGrid;
}

const std::vector<NoiseCell>& drift_grid() {
  static const std::vector<NoiseCell> kGrid = [] {
    std::vector<NoiseCell> grid;
    for (const Weighted& drift : kDrift) grid.push_back(cell(drift, 0, drift.weight));
    return grid;
  }();
  return kGrid;
}

WhitenedDots WhitenedDots::without_step(std::span<const std::size_t> builds, double k) const {
  double ss = 1 / k, s1 = 0, sy = 0;
  std::vector<double> with_build(build_y_.size(), 0.0);
  for (std::size_t member : builds) {
    s1 += build_1_[member];
    sy += build_y_[member];
    for (std::size_t b = 0; b < with_build.size(); ++b) with_build[b] += gram_[member][b];
  }
  for (std::size_t member : builds) ss += with_build[member];
  WhitenedDots left = *this;
  left.log_det_ += std::log(k * ss);
  left.yy_ -= sy * sy / ss;
  left.y1_ -= sy * s1 / ss;
  left.ones_ -= s1 * s1 / ss;
  for (std::size_t a = 0; a < with_build.size(); ++a) {
    left.build_y_[a] -= with_build[a] * sy / ss;
    left.build_1_[a] -= with_build[a] * s1 / ss;
    for (std::size_t b = 0; b < with_build.size(); ++b)
      left.gram_[a][b] -= with_build[a] * with_build[b] / ss;
  }
  return left;
}

double Whitened::covariance(std::size_t earlier, double time_s, std::size_t build) const {
  const double luck = build_[earlier] == build ? cell_.rho_u : 0;
  return luck + cell_.rho_q * std::min(time_[earlier], time_s);
}

void Whitened::add_build() {
  indicator_.emplace_back(y_.size(), 0.0);
  build_y_.push_back(0);
  build_1_.push_back(0);
  for (std::vector<double>& row : gram_) row.push_back(0);
  gram_.emplace_back(indicator_.size(), 0.0);
}

void Whitened::append(double y, double time_s, std::size_t build, double weight) {
  while (builds() <= build) add_build();
  const std::size_t n = boots_++;
  std::vector<double> row(n + 1);
  for (std::size_t j = 0; j < n; ++j)
    row[j] = (covariance(j, time_s, build) - dot(factor_[j], row, j)) / factor_[j][j];
  const double diagonal = weight + cell_.rho_u + cell_.rho_q * time_s;
  const double pivot = std::sqrt(std::max(kLeastPivot, diagonal - dot(row, row, n)));
  row[n] = pivot;

  const double new_y = (y - dot(row, y_, n)) / pivot;
  const double new_1 = (1 - dot(row, one_, n)) / pivot;
  for (std::size_t b = 0; b < builds(); ++b) {
    const double member = b == build ? 1 : 0;
    indicator_[b].push_back((member - dot(row, indicator_[b], n)) / pivot);
  }
  y_.push_back(new_y);
  one_.push_back(new_1);
  yy_ += new_y * new_y;
  y1_ += new_y * new_1;
  ones_ += new_1 * new_1;
  for (std::size_t a = 0; a < builds(); ++a) {
    const double part = indicator_[a][n];
    build_y_[a] += part * new_y;
    build_1_[a] += part * new_1;
    for (std::size_t b = 0; b < builds(); ++b) gram_[a][b] += part * indicator_[b][n];
  }
  log_det_ += 2 * std::log(pivot);
  factor_.push_back(std::move(row));
  time_.push_back(time_s);
  build_.push_back(build);
}

}  // namespace bisect_run::stats
