#pragma once

#include <string>
#include <vector>

#include "model/verdict.h"

namespace bisect_run::report {

/// Commits that follow each other, as far as they were looked at, and are skipped for one reason.
struct Stretch {
  std::vector<Oid> commits;
  std::string reason;  ///< of the first
};

/// The skipped and aborted ones of `probes`, which stand in the order of the commits. Two
/// neighbours belong together if nothing tested lies between them and their reasons are the same
/// but for line numbers and the names of logs.
std::vector<Stretch> skipped_stretches(const std::vector<Probe>& probes);

}  // namespace bisect_run::report
