#pragma once

#include <functional>
#include <vector>

#include "bisect/node_set.h"
#include "bisect/strategy.h"
#include "engine/evidence.h"
#include "model/commit.h"
#include "model/history.h"
#include "model/told_step.h"

namespace bisect_run::engine {

struct Retelling {
  const Range& range;
  std::string variant;
  std::vector<std::string> layouts;
  const History& history;
  Machine machine;
  Question question;
  std::vector<Oid> untestable;
  std::size_t prebuild = 1;  ///< as in BisectionSetup
  /// What was set back after the first builds and boots; empty: nothing, but by the strategy
  /// itself.
  std::function<bisect::NodeSet(const History&)> unlikely = {};
};

/// Plays the strategy again over what was recorded, step by step, in the order of time: why each
/// step was made and what it changed. Nothing of it is stored. Kernels that are no commits of the
/// range, such as reverts, are left out.
std::vector<ToldStep> retell(const Retelling& told, bisect::Strategy& strategy);

}  // namespace bisect_run::engine
