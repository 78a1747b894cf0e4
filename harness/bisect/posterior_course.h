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
    spent,     ///< out of boots
  };
  Phase phase = Phase::calibrating;
  Node next_witness = 0;       ///< verifying: boot this
  int witness_round = 0;       ///< and it is this boot of the round, from 1
  double boots_to_verify = 0;  ///< verifying: boots that are missing
  double control_time_s = 0;   ///< last boot of an end, or the end of calibration
  std::size_t controls = 0;    ///< boots of ends after calibration
};

/// Replays all steps. Pure in its arguments, so a resumed run stands where the first one stood.
Course follow(const Graph& graph, const PosteriorSettings& settings, std::span<const Step> steps,
              const std::map<Node, std::string>& failures);

}  // namespace bisect_run::bisect
