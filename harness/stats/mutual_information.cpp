#include "stats/mutual_information.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>

namespace bisect_run::stats {
namespace {

constexpr int kRows = 101;     // p
constexpr int kColumns = 121;  // x
constexpr double kMostX = 12;
using Table = std::array<std::array<double, kColumns>, kRows>;

double density(double v) {
  return std::exp(-v * v / 2) / std::sqrt(2 * std::numbers::pi);
}

/// -x log2 x: nothing where the density has died out.
double entropy_term(double at) {
  return at > 0 ? -at * std::log2(at) : 0;
}

std::unique_ptr<const Table> make_table() {
  auto table = std::make_unique<Table>();
  for (int row = 0; row <= kRows / 2; ++row)
    for (int column = 0; column < kColumns; ++column) {
      const double bits = integrate_mutual_information(row / 100.0, column / 10.0);
      (*table)[row][column] = bits;
      (*table)[kRows - 1 - row][column] = bits;  // swapping the sides changes nothing
    }
  return table;
}

}  // namespace

// I(X; reading) = H(reading) - H(reading | X), and the latter is that of a normal distribution. The
// trapezoidal rule is exact to rounding for such smooth functions that die out at both ends.
double integrate_mutual_information(double p, double x) {
  constexpr double kTail = 8;
  constexpr double kStep = 0.1;
  const int steps = static_cast<int>(std::ceil((x + 2 * kTail) / kStep));
  double sum = 0;
  for (int i = 0; i <= steps; ++i) {
    const double v = -kTail + i * kStep;
    sum += entropy_term((1 - p) * density(v) + p * density(v - x));
  }
  const double normal = 0.5 * std::log2(2 * std::numbers::pi * std::numbers::e);
  return std::max(0.0, sum * kStep - normal);
}

double mutual_information(double p, double x) {
  static const std::unique_ptr<const Table> kTable = make_table();
  if (std::isnan(p) || std::isnan(x)) return 0;
  const double row = std::clamp(p, 0.0, 1.0) * (kRows - 1);
  const double column = std::clamp(x, 0.0, kMostX) * 10;
  const int r = std::min(static_cast<int>(row), kRows - 2);
  const int c = std::min(static_cast<int>(column), kColumns - 2);
  const double dr = row - r;
  const double dc = column - c;
  const Table& t = *kTable;
  return (1 - dr) * ((1 - dc) * t[r][c] + dc * t[r][c + 1]) +
         dr * ((1 - dc) * t[r + 1][c] + dc * t[r + 1][c + 1]);
}

}  // namespace bisect_run::stats
