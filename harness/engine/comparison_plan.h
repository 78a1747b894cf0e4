#pragma once

#include <vector>

#include "engine/comparison.h"
#include "model/history.h"

namespace bisect_run::engine {

/// One kernel on one machine with one scenario: what gets boots together. Pointers go into the
/// setup.
struct Lane {
  const Cell* cell = nullptr;
  const Scenario* scenario = nullptr;
  std::size_t base = 0;  ///< the lane it is compared with: the first one of its machine
};

/// One lane for each cell and scenario, the scenarios one after another. Cells whose kernel is the
/// same machine code as an earlier one's on the same machine have no lane.
std::vector<Lane> lanes_of(const ComparisonSetup& setup, const History& history);

int complete_boots(const History& history, const Lane& lane);

/// The lanes that need more boots: those with a rate that is not decided against their base, and
/// these bases. All numbers of all lanes are judged together.
std::vector<std::size_t> undecided_lanes(const ComparisonSetup& setup,
                                         const std::vector<Lane>& lanes, const History& history);

}  // namespace bisect_run::engine
