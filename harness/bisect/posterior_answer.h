#pragma once

#include <map>
#include <string>

#include "bisect/posterior_model.h"

namespace bisect_run::bisect {

/// Refused: with the difference that was measured.
Conclusion refusal(const Calibration& calibration);

/// The heaviest class as the answer: a commit if it is one and its parents were all measured, else
/// the set.
Conclusion answer(const Graph& graph, const PosteriorModel& model,
                  const std::map<Node, std::string>& failures);

/// Undecided: the smallest set of commits that holds 95 % of the mass.
Conclusion undecided(const PosteriorModel& model, const std::string& why);

}  // namespace bisect_run::bisect
