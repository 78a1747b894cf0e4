#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "stats/likelihood.h"
#include "stats/noise_model.h"

// Levels of groups of builds without any hypothesis about their order: for asking where one kernel
// stands between two others.

namespace bisect_run::stats {

struct GroupLevels {
  std::vector<double> level;
  std::vector<std::vector<double>> covariance;
  double log_ml = 0;  ///< of the cell, up to a constant common to equal groups of the same boots
};

/// Generalised least squares in one cell of the noise model, with the level prior of `prior` on
/// each group. `group_of` gives each build's group, 0 to groups - 1. Nothing for an empty group.
std::optional<GroupLevels> fit_groups(const WhitenedDots& data,
                                      std::span<const std::size_t> group_of, std::size_t groups,
                                      const Prior& prior);

/// Where one level lies on the way from one to another: 0 at `from`, 1 at `to`.
struct Position {
  double at = 0;
  double error = 0;  ///< standard error, by the delta method
};

/// Nothing where `from` and `to` coincide.
std::optional<Position> position(const GroupLevels& levels, std::size_t from, std::size_t to,
                                 std::size_t which);

}  // namespace bisect_run::stats
