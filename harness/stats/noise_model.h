#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// The noise of boots: what one boot varies by, what is common to all boots of a build (layout
// luck), and a slow drift of the machine. statistics.md, section 3:
//
//   V_ij = w_i [i = j] + rho_u [b_i = b_j] + rho_q min(t_i, t_j),   Cov(y) = sigma^2 V.

namespace bisect_run::stats {

/// One hypothesis about the noise, relative to the variance of a boot.
struct NoiseCell {
  double rho_q = 0;       ///< drift variance per second
  double rho_u = 0;       ///< variance of a build
  double log_weight = 0;  ///< logarithm of its prior weight
};

/// Drift of 0.05 to 4 boot standard deviations over 8 hours, times layout luck of nothing, a tenth
/// and half of a boot's variance (statistics.md, section 3).
const std::vector<NoiseCell>& noise_grid();

/// The cells of the grid without layout luck, weights renormalised: for calibration, where each end
/// has one build.
const std::vector<NoiseCell>& drift_grid();

/// Dot products of vectors whitened by one cell's V, which is all that likelihoods need: of y, of
/// all ones, and of the indicators of builds.
class WhitenedDots {
 public:
  explicit WhitenedDots(const NoiseCell& cell) : cell_(cell) {}

  const NoiseCell& cell() const { return cell_; }
  std::size_t boots() const { return boots_; }
  std::size_t builds() const { return build_y_.size(); }
  double log_det() const { return log_det_; }  ///< ln|V|

  double yy() const { return yy_; }
  double y1() const { return y1_; }
  double ones() const { return ones_; }
  double build_y(std::size_t build) const { return build_y_[build]; }
  double build_1(std::size_t build) const { return build_1_[build]; }
  double build_build(std::size_t a, std::size_t b) const { return gram_[a][b]; }

  /// The dots of the same boots with a step s over `builds` integrated out, its size a priori
  /// N(0, k sigma^2): those of V + k s s^T, by the Sherman-Morrison formula and the determinant
  /// lemma.
  WhitenedDots without_step(std::span<const std::size_t> builds, double k) const;

 protected:
  NoiseCell cell_;
  std::size_t boots_ = 0;
  double log_det_ = 0, yy_ = 0, y1_ = 0, ones_ = 0;
  std::vector<double> build_y_, build_1_;
  std::vector<std::vector<double>> gram_;
};

/// The vectors themselves, by the Cholesky factor of V. Grows by one boot at a time at
/// O(n^2 + builds * n).
class Whitened : public WhitenedDots {
 public:
  using WhitenedDots::WhitenedDots;

  /// Adds a boot. `time_s` from any origin, not below 0; `build` a small number, dense from 0;
  /// `weight` >= 1 (section 6).
  void append(double y, double time_s, std::size_t build, double weight);

 private:
  double covariance(std::size_t earlier, double time_s, std::size_t build) const;
  void add_build();

  std::vector<std::vector<double>> factor_;  // rows of L
  std::vector<double> time_;
  std::vector<std::size_t> build_;
  std::vector<double> y_, one_;                 // whitened
  std::vector<std::vector<double>> indicator_;  // whitened, one a build
};

}  // namespace bisect_run::stats
