#include "report/stretches.h"

#include <cctype>

namespace bisect_run::report {
namespace {

bool is_skipped(const Probe& probe) {
  return probe.outcome == Outcome::skip || probe.outcome == Outcome::abort;
}

/// What stays the same when code moves and another log is written.
std::string essence(std::string reason) {
  if (const auto log = reason.rfind(" (log: "); log != std::string::npos) reason.resize(log);
  std::string kept;
  for (std::size_t i = 0; i < reason.size(); ++i) {
    kept += reason[i];
    if (reason[i] != ':') continue;
    while (i + 1 < reason.size() && std::isdigit(static_cast<unsigned char>(reason[i + 1]))) ++i;
  }
  return kept;
}

}  // namespace

std::vector<Stretch> skipped_stretches(const std::vector<Probe>& probes) {
  std::vector<Stretch> stretches;
  bool goes_on = false;
  for (const auto& probe : probes) {
    const bool skipped = is_skipped(probe);
    if (skipped && goes_on && essence(stretches.back().reason) == essence(probe.reason))
      stretches.back().commits.push_back(probe.oid);
    else if (skipped)
      stretches.push_back({{probe.oid}, probe.reason});
    goes_on = skipped;
  }
  return stretches;
}

}  // namespace bisect_run::report
