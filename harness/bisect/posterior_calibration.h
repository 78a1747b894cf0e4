#pragma once

#include <string>
#include <vector>

#include "bisect/posterior.h"
#include "stats/ends.h"
#include "stats/likelihood.h"

namespace bisect_run::bisect {

/// Whether the ends can be told apart, and the priors of the search if so (statistics.md, section
/// 7). Fed with the boots of the ends as they come; looks after 3 pairs (only for plain cases), 5,
/// and every 3 more. A decision once made stays.
class Calibration {
 public:
  enum class State { more, apart, refused };

  explicit Calibration(const PosteriorSettings& settings) : settings_(settings) {}

  void add(const stats::EndBoot& boot);

  State state() const { return state_; }
  /// The end whose boot comes next in G B, B G, G B, …: true for BAD.
  bool next_is_bad() const;
  std::size_t pairs() const { return good_ < bad_ ? good_ : bad_; }
  /// There is noise, and the ends were told apart at the first look all the same.
  bool far_apart() const { return far_apart_; }
  const std::string& reason() const { return reason_; }  ///< when refused
  const stats::EndsLook& look() const { return look_; }  ///< the last one
  /// Student quantile for a 95 % interval of the difference.
  double interval_quantile() const;
  /// The prior of the search, once apart: its b0 from the pilot, its kappa from the difference.
  stats::Prior prior() const;

 private:
  void look_now();
  void refuse(std::string why);
  std::string found() const;

  const PosteriorSettings& settings_;
  std::vector<stats::EndBoot> boots_;
  std::size_t good_ = 0, bad_ = 0;
  std::size_t next_look_ = 3;
  double s0_ = 0.02;
  stats::EndsLook look_;
  State state_ = State::more;
  bool far_apart_ = false;
  std::string reason_;
};

}  // namespace bisect_run::bisect
