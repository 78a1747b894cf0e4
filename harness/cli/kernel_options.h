#pragma once

#include "cli/arguments.h"

namespace CLI {
class App;
}

namespace bisect_run::cli {

/// The options that say how kernels are built: --patch, --config, --compiler, --make-arg.
void add_build_options(CLI::App& app, Arguments& arguments);

/// The options that change the machine kernels run on, beside --cpus: --memory, --accel, --clock.
void add_machine_options(CLI::App& app, Arguments& arguments);

}  // namespace bisect_run::cli
