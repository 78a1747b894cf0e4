#pragma once

#include <vector>

#include "model/history.h"
#include "report/facts.h"

namespace bisect_run::cli {

/// Fills in what is known of the kernels: their builds, their guests' handshakes and, where the
/// cache still has it, their .config; and how the configurations of the first and the last one
/// differ, and what remedies and boot arguments they do not share.
void describe_kernels(report::RunFacts& facts, const std::vector<KernelSpec>& kernels,
                      const History& history);

/// Every kernel that was built or tried, in the order of time.
std::vector<KernelSpec> built_kernels(const History& history);

/// The boots that did not end well, in the order of time.
std::vector<report::FailedBoot> failed_boots(const History& history);

}  // namespace bisect_run::cli
