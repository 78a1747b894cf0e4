#pragma once

#include <optional>

namespace bisect_run::stats {

/// P(Z <= x) for a standard normal Z.
double normal_cdf(double x);

/// The x with normal_cdf(x) = p; nothing unless 0 < p < 1.
std::optional<double> normal_quantile(double p);

/// P(T <= t) for Student's T with `df` > 0 degrees of freedom, through the regularised incomplete
/// beta function: P(|T| > t) = I_{df/(df+t^2)}(df/2, 1/2).
double student_cdf(double t, double df);

/// The t with student_cdf(t, df) = p; nothing unless 0 < p < 1 and df > 0.
std::optional<double> student_quantile(double p, double df);

/// I_x(a, b), the regularised incomplete beta function, for a, b > 0 and x in 0..1.
double incomplete_beta(double a, double b, double x);

}  // namespace bisect_run::stats
