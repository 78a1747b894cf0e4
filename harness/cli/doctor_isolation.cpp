#include <cstdlib>

#include "cli/doctor.h"
#include "kernel/isolation.h"

namespace bisect_run::cli {

Findings check_isolation(const Patient& patient) {
  constexpr const char* kSubject = "isolation";
  const auto asked = patient.recipe.isolate_builds;
  if (asked == Isolate::never)
    return {{Finding::Level::note, kSubject,
             "builds run with all your rights, as isolate-builds of kernels.yaml says"}};
  const char* path = std::getenv("PATH");
  const auto isolation = kernel::Isolation::find(path != nullptr ? path : "");
  if (isolation)
    return {{Finding::Level::fine, kSubject,
             "builds have no network, see none of your files and write to their own directories"}};
  const bool needed = asked == Isolate::always;
  return {{needed ? Finding::Level::trouble : Finding::Level::note, kSubject,
           (needed ? "builds cannot be isolated, as isolate-builds of kernels.yaml wants: "
                   : "builds run with all your rights: ") +
               isolation.error().message}};
}

}  // namespace bisect_run::cli
