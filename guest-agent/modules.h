#pragma once

#include <string>

#include "wire/workload.h"

namespace bisect_run::agent {

/// The command that loads the driver of a device kind so that it makes no device by itself.
std::string module_command(const std::string& kind);

/// Loads what the workload's steps need, before the kernel does so with its own defaults: dummy and
/// bonding would each leave a device on the machine. A kernel without modules, or a module that is
/// not there, is left to the operation that needs it.
void load_modules(const wire::Workload& workload);

}  // namespace bisect_run::agent
