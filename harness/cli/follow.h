#pragma once

#include "cli/context.h"
#include "store/store.h"

namespace bisect_run::cli {

/// Says what happens in a run, a line an event, until it has ended, its controller is gone, or a
/// stop is asked for; only reads. Errors: those of the store; interrupted.
Status follow_run(const store::Store& store, const std::string& run, const Context& context);

}  // namespace bisect_run::cli
