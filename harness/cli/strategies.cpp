#include "cli/strategies.h"

#include <algorithm>
#include <cmath>

#include "bisect/posterior.h"
#include "bisect/three_way.h"

namespace bisect_run::cli {
namespace {

bisect::PosteriorSettings posterior_settings(const SearchSpace& space, const RunRequest& request) {
  bisect::PosteriorSettings settings;
  if (request.boots > 0) settings.most_boots = request.boots;
  if (request.min_effect > 0) settings.min_effect = std::log1p(request.min_effect);
  settings.most_layouts = 1 + static_cast<std::uint32_t>(request.layouts.size());
  if (request.confidence > 0) {
    settings.accept = request.confidence;
    settings.enter = std::min(settings.enter, request.confidence);
  }
  if (!space.behind.empty()) {
    settings.set_back = bisect::NodeSet(space.behind.size());
    for (bisect::Node node = 0; node < space.behind.size(); ++node)
      if (space.behind[node]) settings.set_back.insert(node);
  }
  return settings;
}

}  // namespace

std::unique_ptr<bisect::Strategy> make_strategy(const SearchSpace& space,
                                                const RunRequest& request) {
  if (request.strategy == "three-way") {
    bisect::ThreeWaySettings settings;
    if (request.boots > 0) settings.most_boots = request.boots;
    return bisect::make_three_way(space.range, settings);
  }
  return bisect::make_posterior(space.range, posterior_settings(space, request));
}

}  // namespace bisect_run::cli
