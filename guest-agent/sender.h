#pragma once

#include <cstdint>

#include "sys.h"

namespace bisect_run::agent {

/// Sends `packets` Ethernet frames of `size` bytes through a device by a packet socket, many in one
/// call, past the queueing discipline where the kernel can do that (3.14). The frames carry an
/// EtherType for local experiments and go to a made-up address.
Outcome send_frames(int index, std::int64_t packets, std::int64_t size);

}  // namespace bisect_run::agent
