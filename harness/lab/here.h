#pragma once

#include <filesystem>
#include <stop_token>

#include "lab/lab.h"

namespace bisect_run::lab {

/// Measures a scenario on this machine's own kernel: the same agent, as a child, which makes
/// everything in fresh namespaces and leaves nothing behind. Needs root.
///
/// The result has the form of a boot, without a machine: outcome `complete`, `scenario_failed`,
/// `protocol`, `infra` (no root, the agent cannot be started) or `interrupted`.
Boot measure_here(const std::filesystem::path& agent, const Scenario& scenario,
                  const Deadlines& deadlines, const Observer& observer, std::stop_token stop);

}  // namespace bisect_run::lab
