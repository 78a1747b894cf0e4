#pragma once

#include <optional>
#include <string>

#include "model/history.h"

namespace bisect_run::report {

/// What went on on the host while a run measured: the range of each number over its boots.
struct HostState {
  struct Range {
    std::optional<double> low, high;  ///< null: no boot knows
  };
  int boots = 0;      ///< of which anything is known
  int disturbed = 0;  ///< repeated, because the host was not as it was at calibration
  Range load, others, steal, mhz;
  double suspended_s = 0;
};

HostState host_state_of(const History& history);

/// `load 1.2 to 3.4; others used 2 % to 8 % of the CPU time, steal 0 %; CPUs at 2000 MHz; …`;
/// empty where nothing is known.
std::string host_state_text(const HostState& state);

}  // namespace bisect_run::report
