#include "cli/strategies.h"

#include "bisect/posterior.h"
#include "bisect/three_way.h"

namespace bisect_run::cli {

std::unique_ptr<bisect::Strategy> make_strategy(const Range& range, const RunRequest& request) {
  if (request.strategy == "three-way") {
    bisect::ThreeWaySettings settings;
    if (request.boots > 0) settings.most_boots = request.boots;
    return bisect::make_three_way(range, settings);
  }
  bisect::PosteriorSettings settings;
  if (request.boots > 0) settings.most_boots = request.boots;
  return bisect::make_posterior(range, settings);
}

}  // namespace bisect_run::cli
