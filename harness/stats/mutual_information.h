#pragma once

namespace bisect_run::stats {

/// Bits that a reading N(x X, 1) gives about a bit X with P(X = 1) = p (statistics.md, section 8),
/// from a table (p in steps of 0.01, x of 0.1, bilinear). x is the size of the change in standard
/// deviations of the reading, clamped into 0..12; p into 0..1. 0 for NaN.
double mutual_information(double p, double x);

/// The same by numerical integration.
double integrate_mutual_information(double p, double x);

}  // namespace bisect_run::stats
