#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

// Small dense linear algebra, as plainly as possible: the oracle for what is computed cleverly.

namespace bisect_run::test {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;

struct Solved {
  Vector x;            ///< A x = b
  double log_det = 0;  ///< ln|A|, A positive definite
};

/// Gaussian elimination with pivoting.
inline Solved solve(Matrix a, Vector b) {
  const std::size_t n = b.size();
  Solved solved;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    solved.log_det += std::log(std::abs(a[k][k]));
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  solved.x.assign(n, 0);
  for (std::size_t k = n; k-- > 0;) {
    double sum = b[k];
    for (std::size_t j = k + 1; j < n; ++j) sum -= a[k][j] * solved.x[j];
    solved.x[k] = sum / a[k][k];
  }
  return solved;
}

inline double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// a + factor * v v^T
inline Matrix plus_outer(Matrix a, double factor, const Vector& v) {
  for (std::size_t i = 0; i < v.size(); ++i)
    for (std::size_t j = 0; j < v.size(); ++j) a[i][j] += factor * v[i] * v[j];
  return a;
}

}  // namespace bisect_run::test
