#pragma once

#include <string>

#include "store/store.h"

namespace bisect_run::cli {

/// Prints a run from what the store holds of it, on stdout. Formats: text, json, show.
Status print_run(const store::Store& store, const std::string& id, const std::string& format);

}  // namespace bisect_run::cli
