#pragma once

#include <vector>

#include "report/html.h"
#include "report/plots.h"

namespace bisect_run::cli {

/// Draws plots in both widths with one gnuplot, in a directory that is gone afterwards.
/// Errors: infra, when gnuplot is missing or fails; nothing else depends on it.
Result<std::vector<report::DrawnPlot>> draw(const std::vector<report::Plot>& plots);

}  // namespace bisect_run::cli
