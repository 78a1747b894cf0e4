#pragma once

#include <optional>
#include <string>

#include "cli/places.h"
#include "store/store.h"

namespace bisect_run::cli {

/// The repository of the last run, if the results hold one.
std::optional<std::string> last_repository(const Places& places);

/// The run named by its id or the beginning of it; the last one if `wanted` is empty.
/// Errors: usage.
Result<store::RunRecord> find_run(const store::Store& store, const std::string& wanted);

/// The results for reading. Errors: usage if there are none.
Result<store::Store> open_results(const Places& places);

}  // namespace bisect_run::cli
