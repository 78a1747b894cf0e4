#include <fmt/format.h>

#include "cli/doctor.h"
#include "cli/workbench.h"
#include "kernel/cache_budget.h"
#include "kernel/files.h"

namespace bisect_run::cli {

Findings check_space(const Patient& patient) {
  const auto& cache = patient.context.places.cache;
  // The directory itself may not be there yet.
  auto place = cache;
  std::error_code ignored;
  while (!std::filesystem::exists(place, ignored) && place.has_relative_path())
    place = place.parent_path();
  const auto left = kernel::free_bytes(place);
  if (!left) return {{Finding::Level::trouble, "disk", left.error().message}};
  const auto words = fmt::format(
      "{} free for {}; {} needed for a first kernel, about 50 MiB more "
      "for each further one",
      kernel::human_size(*left), cache.string(), kernel::human_size(kNeededBytes));
  const auto caches = kernel::space_outlook(cache, patient.recipe.cache_bytes, 0);
  const Finding held{
      Finding::Level::fine, "caches",
      fmt::format("{} of the {} that they may take (--cache-size, or cache: of "
                  "kernels.yaml); the least recently used goes first",
                  kernel::human_size(caches.held), kernel::human_size(caches.limit))};
  if (*left >= kNeededBytes) return {{Finding::Level::fine, "disk", words}, held};
  return {{Finding::Level::trouble, "disk",
           words + ": make room, or name another place with XDG_CACHE_HOME"},
          held};
}

}  // namespace bisect_run::cli
