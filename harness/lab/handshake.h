#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "model/boot.h"
#include "model/kernel.h"
#include "wire/messages.h"

namespace bisect_run::lab {

/// Why a boot ended, as far as one part of the lab can tell.
struct Ending {
  BootOutcome outcome = BootOutcome::complete;
  std::string reason;  ///< for a person; of a complete one: what the kernel does not have
};

/// What a guest must show to be the one that was started.
struct Proof {
  std::string build_id, config_digest;  ///< of the image; an empty digest is not asked for
  std::string offload;                  ///< "" or none, 0, all, all-but-0
  std::string agent_digest;
  int cpus = 1;
  bool own_kernel = false;  ///< this machine's own kernel, no image: only the agent is checked
};

/// Nothing when the guest is the kernel, agent, machine and variant that was asked for; else
/// wrong_kernel, variant_lost or protocol with the first difference.
std::optional<Ending> check_handshake(const wire::Hello& hello, const Proof& proof);

/// The numbers of a kernel CPU list ("0-2,5", with or without a full stop) below `cpus`. Nothing
/// when it is none. "", "(none)" are the empty list; old kernels list their whole mask.
std::optional<std::set<int>> parse_cpu_list(std::string_view list, int cpus);

}  // namespace bisect_run::lab
