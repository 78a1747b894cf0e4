#include "stats/likelihood.h"

#include <algorithm>
#include <cmath>

namespace bisect_run::stats {
namespace {

/// The level integrated out of everything.
struct Levelled {
  double s11 = 0;  ///< z_1.z_1 + 1/kM
  double yy = 0;   ///< z_y.z_y - (z_1.z_y)^2 / S11
};

Levelled level(const WhitenedDots& data, const Prior& prior) {
  Levelled levelled;
  levelled.s11 = data.ones() + 1 / prior.k_mu;
  levelled.yy = data.yy() - data.y1() * data.y1() / levelled.s11;
  return levelled;
}

/// What is left of a step's own square: never below its prior part but by rounding.
double curvature(const StepDots& step, const Levelled& levelled, const Prior& prior) {
  return std::max(1 / prior.kappa, step.ss + 1 / prior.kappa - step.s1 * step.s1 / levelled.s11);
}

double projection(const WhitenedDots& data, const StepDots& step, const Levelled& levelled) {
  return step.sy - step.s1 * data.y1() / levelled.s11;
}

struct Scale {
  double log_ml = 0;  ///< the part common to one and two steps
  double sigma2 = 0;
  double per_unit = 0;  ///< b/a of the inverse gamma: scale^2 of the Student t per unit
};

Scale scale(const WhitenedDots& data, const Levelled& levelled, double rss, const Prior& prior) {
  const double a = prior.a0 + static_cast<double>(data.boots()) / 2;
  const double b = prior.b0 + std::max(0.0, rss) / 2;
  return {-0.5 * data.log_det() - 0.5 * std::log(levelled.s11) - a * std::log(b), b / (a - 1),
          b / a};
}

}  // namespace

LevelFit fit_level(const WhitenedDots& data, const Prior& prior) {
  const Levelled levelled = level(data, prior);
  const Scale common = scale(data, levelled, levelled.yy, prior);
  return {common.log_ml, common.sigma2};
}

StepFit fit_step(const WhitenedDots& data, const StepDots& step, const Prior& prior) {
  const Levelled levelled = level(data, prior);
  const double a = curvature(step, levelled, prior);
  const double c = projection(data, step, levelled);
  const Scale common = scale(data, levelled, levelled.yy - c * c / a, prior);
  StepFit fit;
  fit.delta = c / a;
  fit.delta_var = common.per_unit / a;
  fit.sigma2 = common.sigma2;
  fit.log_ml = common.log_ml - 0.5 * std::log(prior.kappa * a);
  return fit;
}

TwoStepFit fit_two_steps(const WhitenedDots& data, const StepDots& first, const StepDots& second,
                         double cross, const Prior& prior) {
  const Levelled levelled = level(data, prior);
  const double aj = curvature(first, levelled, prior);
  const double ak = curvature(second, levelled, prior);
  const double cj = projection(data, first, levelled);
  const double ck = projection(data, second, levelled);
  const double e = cross - first.s1 * second.s1 / levelled.s11;
  // At least its prior part, but by rounding.
  const double det = std::max(1 / (prior.kappa * prior.kappa), aj * ak - e * e);
  TwoStepFit fit;
  fit.delta_first = (ak * cj - e * ck) / det;
  fit.delta_second = (aj * ck - e * cj) / det;
  fit.same_sign = fit.delta_first * fit.delta_second >= 0;
  const Scale common =
      scale(data, levelled, levelled.yy - fit.delta_first * cj - fit.delta_second * ck, prior);
  fit.var_first = common.per_unit * ak / det;
  fit.var_second = common.per_unit * aj / det;
  fit.sigma2 = common.sigma2;
  fit.log_ml = common.log_ml - 0.5 * std::log(det * prior.kappa * prior.kappa);
  return fit;
}

}  // namespace bisect_run::stats
