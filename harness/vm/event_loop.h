#pragma once

#include "model/error.h"

namespace bisect_run::vm {

/// Starts the one thread that runs libvirt's event loop, unless it runs. It ends with the process.
/// Also silences libvirt's own printing of errors. Errors: infra.
Status start_event_loop();

}  // namespace bisect_run::vm
