#include "stats/distributions.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace bisect_run::stats {
namespace {

double away_from_zero(double value) {
  constexpr double kTiny = 1e-300;
  return std::abs(value) < kTiny ? kTiny : value;
}

/// The continued fraction of the incomplete beta function, evaluated from the front (modified
/// Lentz). Converges fast for x < (a+1)/(a+b+2).
double beta_fraction(double a, double b, double x) {
  double numerator = 1;
  double denominator = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
  double value = denominator;
  for (int m = 1; m <= 10'000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    denominator = 1 / away_from_zero(1 + even * denominator);
    numerator = away_from_zero(1 + even / numerator);
    value *= denominator * numerator;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    denominator = 1 / away_from_zero(1 + odd * denominator);
    numerator = away_from_zero(1 + odd / numerator);
    const double step = denominator * numerator;
    value *= step;
    if (std::abs(step - 1) < 1e-15) break;
  }
  return value;
}

/// P(T > t) for t >= 0: the small tail itself, so that nothing cancels far out.
double student_tail(double t, double df) {
  if (std::isinf(t)) return 0;
  // The logarithms of gamma lose their digits here, and the normal tail is right to 1/df^2.
  if (df > 1e5) return normal_cdf(-t * (1 - 1 / (4 * df)) / std::sqrt(1 + t * t / (2 * df)));
  const double square = t * t;
  const double x = std::isinf(square) ? 0 : df / (df + square);
  return 0.5 * incomplete_beta(df / 2, 0.5, x);
}

/// The t >= 0 whose tail is `tail` (0 < tail <= 0.5), for a tail that falls with t.
template <class Tail>
double invert_tail(Tail tail_of, double tail) {
  double high = 1;
  while (tail_of(high) > tail && high < 1e300) high *= 2;
  double low = 0;
  for (int step = 0; step < 200 && low < high; ++step) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    (tail_of(middle) > tail ? low : high) = middle;
  }
  return high;
}

}  // namespace

double incomplete_beta(double a, double b, double x) {
  if (!(x > 0)) return 0;
  if (x >= 1) return 1;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double normal_cdf(double x) {
  return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}

std::optional<double> normal_quantile(double p) {
  if (!(p > 0 && p < 1)) return std::nullopt;
  if (p == 0.5) return 0.0;
  const double size = invert_tail([](double x) { return normal_cdf(-x); }, std::min(p, 1 - p));
  return p < 0.5 ? -size : size;
}

double student_cdf(double t, double df) {
  if (std::isnan(t) || !(df > 0)) return std::numeric_limits<double>::quiet_NaN();
  const double tail = student_tail(std::abs(t), df);
  return t < 0 ? tail : 1 - tail;
}

std::optional<double> student_quantile(double p, double df) {
  if (!(p > 0 && p < 1) || !(df > 0) || std::isinf(df)) return std::nullopt;
  if (p == 0.5) return 0.0;
  const double size =
      invert_tail([df](double t) { return student_tail(t, df); }, std::min(p, 1 - p));
  return p < 0.5 ? -size : size;
}

}  // namespace bisect_run::stats
