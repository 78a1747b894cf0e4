#pragma once

#include "stats/noise_model.h"

// Marginal likelihoods of one change of level, and of two, given a cell of the noise model. Level,
// size of the change and boot variance are integrated out (statistics.md, sections 3 to 5).

namespace bisect_run::stats {

struct Prior {
  double a0 = 2;        ///< boot variance ~ InverseGamma(a0, b0)
  double b0 = 0.0008;   ///< 2 s0^2, s0 = 0.02
  double k_mu = 1e6;    ///< level ~ N(0, k_mu sigma^2)
  double kappa = 2500;  ///< change ~ N(0, kappa sigma^2)
};

/// Whitened dot products of a step function s: with itself, with all ones, with y.
struct StepDots {
  double ss = 0;
  double s1 = 0;
  double sy = 0;
};

/// y = mu + noise: no change at all.
struct LevelFit {
  double log_ml = 0;  ///< as of the other fits
  double sigma2 = 0;
};
LevelFit fit_level(const WhitenedDots& data, const Prior& prior);

struct StepFit {
  double log_ml = 0;     ///< without the weight of the cell; up to a constant common to all fits
  double delta = 0;      ///< estimate of the change
  double delta_var = 0;  ///< its variance: scale^2 of a Student t with 2 a0 + n degrees of freedom
  double sigma2 = 0;     ///< posterior mean of the boot variance
};

/// y = mu + Delta s + noise.
StepFit fit_step(const WhitenedDots& data, const StepDots& step, const Prior& prior);

struct TwoStepFit {
  bool same_sign = false;  ///< pairs of opposite signs are left out of the mixture
  double log_ml = 0;
  double delta_first = 0, delta_second = 0;
  double var_first = 0, var_second = 0;
  double sigma2 = 0;
};

/// y = mu + D_j s_j + D_k s_k + noise; `cross` is the whitened product of the two steps.
TwoStepFit fit_two_steps(const WhitenedDots& data, const StepDots& first, const StepDots& second,
                         double cross, const Prior& prior);

}  // namespace bisect_run::stats
