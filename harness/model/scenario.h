#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wire/workload.h"

namespace bisect_run {

/// A scenario with a mode, marks and workloads chosen: what one boot measures.
struct Scenario {
  std::string name;
  std::string summary;
  std::string mode;                ///< process, fork or direct: the one chosen
  std::vector<std::string> modes;  ///< the ones it allows
  std::string default_metric;
  std::vector<wire::Workload> workloads;
  int chunks = 9;        ///< samples per mark interval, at most one per item
  int repetitions = 1;   ///< of each workload within a boot
  bool wait_bound = false;  ///< what it measures hides on one vCPU (grace periods)
  std::string digest;    ///< of mode, workloads, chunks and repetitions; stored with every sample
};

/// The loop that yields `metric`, or null.
const wire::Loop* find_loop(const Scenario& scenario, std::string_view metric);

}  // namespace bisect_run
