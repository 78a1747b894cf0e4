#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace bisect_run::stats {

/// A boot beside the other boots of its build.
struct BuildBoot {
  double y = 0;
  double time_s = 0;
};

/// The variance factor of boot `index` among the boots of its build, which are in the order of time
/// (statistics.md, section 6):
/// min(100, (r/1.5)^2) where r, its distance from the median of the five boots nearest in time in
/// units of `sigma`, exceeds 3; else 1. Nothing below three boots. No hypothesis is consulted.
std::optional<double> outlier_weight(std::span<const BuildBoot> boots, std::size_t index,
                                     double sigma);

/// Whether a new weight differs enough from the old one (30 %) to be worth a new factorisation.
bool worth_adopting(double old_weight, double new_weight);

}  // namespace bisect_run::stats
