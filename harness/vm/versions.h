#pragma once

#include <string>

namespace bisect_run::vm {

/// Of the library that is loaded: 9.0.0; empty if it does not say.
std::string libvirt_version();

}  // namespace bisect_run::vm
