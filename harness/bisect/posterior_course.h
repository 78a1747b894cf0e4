#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "bisect/posterior_model.h"

namespace bisect_run::bisect {

/// Where a run stands after its boots and failures (statistics.md, sections 8, 9 and 11).
struct Course {
  enum class Phase {
    calibrating,
    searching,
    verifying,
    answered,  ///< the favourite was verified and holds the mass to be named
    nothing,   ///< there is no further change
    banded,    ///< boots of one and the same commit still lie at two levels
    spent,     ///< out of boots
  };
  Phase phase = Phase::calibrating;
  Node next_witness = 0;       ///< verifying: boot this
  int witness_round = 0;       ///< and it is this boot of the round, from 1
  double boots_to_verify = 0;  ///< verifying: boots that are missing
  std::size_t ended_at = 0;    ///< once it has ended: after so many boots
  std::size_t verified_from = 0, verified_to = 0;  ///< boots of the last whole verification
  double control_time_s = 0;  ///< last boot of an end, or the end of calibration
  std::size_t controls = 0;   ///< boots of ends after calibration
};

/// Replays the steps until the course has ended. Pure in its arguments, so a resumed run stands
/// where the first one stood, and what is booted after the end changes nothing. The steps before
/// number `from` belong to earlier changes: their boots count, what was believed does not.
Course follow(const Graph& graph, const PosteriorSettings& settings, std::span<const Step> steps,
              const std::map<Node, std::string>& failures, std::size_t from = 0);

}  // namespace bisect_run::bisect
