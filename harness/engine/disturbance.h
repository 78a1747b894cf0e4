#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/history.h"

namespace bisect_run::engine {

/// So many complete boots at the beginning of a run say what is usual on this host: in a bisect
/// those of the two ends, in a comparison the first of each column.
inline constexpr int kCalibratingBoots = 4;
/// After so many disturbed boots in a row the host is taken to have changed for good.
inline constexpr int kDisturbedTries = 3;

/// Why a boot that measured everything is to be repeated instead of believed, or nothing.
///
/// What is usual is learnt and no fixed limit, so a host that is always busy disturbs nothing. The
/// CPU time of others must be within ten percentage points of the range in which the run was
/// calibrated, steal within five, the clock rate within a tenth; a host that slept meanwhile
/// always disturbs. The load average is not judged: it lags by a minute and counts the VM itself.
///
/// After kDisturbedTries in a row the next boot counts, and its conditions belong to what is usual
/// from then on: a change of the host costs a bounded number of boots. A pure function of what was
/// recorded, so that a resumed run judges alike.
std::optional<std::string> disturbance(const std::vector<BootRecord>& earlier,
                                       const std::optional<HostConditions>& now);

}  // namespace bisect_run::engine
