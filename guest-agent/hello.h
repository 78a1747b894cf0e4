#pragma once

#include "wire/messages.h"

namespace bisect_run::agent {

/// Which kernel this is, in its own words: what the host checks before it believes a number.
wire::Hello describe_kernel();

}  // namespace bisect_run::agent
