#pragma once

#include "wire/messages.h"

namespace bisect_run::test {

/// The hello of a guest that is what the host built and packed.
inline wire::Hello hello() {
  wire::Hello it;
  it.agent_digest = "agent";
  it.release = "6.1.0";
  it.build_id = "build";
  it.config_digest = "config";
  it.cpus = 2;
  it.clocksource = "tsc";
  it.clock_resolution_ns = 100;
  return it;
}

}  // namespace bisect_run::test
