#pragma once

#include "bisect/posterior_stages.h"

namespace bisect_run::bisect {

/// What to say when the last stage has ended: the first stage's answer, and the further changes
/// with the sizes that all boots give to all changes at once.
Conclusion conclude(const Graph& graph, const Stages& stages);

}  // namespace bisect_run::bisect
