#include "model/run.h"

namespace bisect_run {

std::vector<Placed> placed_kernels(const RunRequest& request, const Machine& machine) {
  std::vector<Placed> placed;
  for (const auto cpus : request.cpus)
    for (const auto& kernel : request.kernels) {
      if (kernel.machine) continue;
      placed.push_back({kernel, machine});
      placed.back().machine.cpus = cpus;
    }
  for (const auto& kernel : request.kernels)
    if (kernel.machine) placed.push_back({kernel, *kernel.machine});
  return placed;
}

}  // namespace bisect_run
