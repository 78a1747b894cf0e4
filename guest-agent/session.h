#pragma once

#include "port.h"
#include "wire/messages.h"
#include "worker.h"

namespace bisect_run::agent {

struct SessionRules {
  Place place = Place::guest;
  int silence_s = wire::kHostSilence_s;  ///< without a byte from the host: over; 0 waits for ever
  bool ends_with_input = false;          ///< end of file on the input is the end
};

enum class SessionEnd {
  power_off,  ///< the host said so
  silence,    ///< the host is gone
  input,      ///< end of file
  signal,     ///< SIGTERM, SIGINT or SIGHUP
};

/// Says hello and serves the host until the session is over. A workload that still runs then is
/// killed. Child processes that are nobody's are reaped.
SessionEnd serve(Port& port, const wire::Hello& hello, const SessionRules& rules);

/// The signal behind SessionEnd::signal; 0 without one.
int stopped_by();

}  // namespace bisect_run::agent
