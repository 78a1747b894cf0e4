#pragma once

#include <memory>

#include "bisect/strategy.h"
#include "cli/search_space.h"
#include "model/run.h"

namespace bisect_run::cli {

/// The way of deciding that the request names.
std::unique_ptr<bisect::Strategy> make_strategy(const SearchSpace& space,
                                                const RunRequest& request);

}  // namespace bisect_run::cli
