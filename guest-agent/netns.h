#pragma once

#include <string>
#include <vector>

#include "sys.h"

// Named network namespaces, as iproute2 keeps them: files below /run/netns, each with the namespace
// bound over it.

namespace bisect_run::agent {

inline constexpr const char* kNetnsDirectory = "/run/netns";

std::string netns_path(const std::string& name);

/// Makes sure of the directory and its shared mount, as every `ip netns add` does: a walk over all
/// mounts in it, so part of what adding costs.
Outcome prepare_netns_directory();

/// Makes a namespace and its name, in the order of `ip netns add`; the calling thread is in it
/// afterwards. A name that was made is removed again when a later step fails.
Outcome add_netns(const std::string& name);

/// Detaches the mount and unlinks the name, as `ip netns del` does.
Outcome delete_netns(const std::string& name);

/// Enters the namespace as `ip netns exec` does: with a mount namespace of its own, `/` a slave,
/// and a fresh sysfs on /sys. Only for a child that ends soon.
Outcome enter_netns(const std::string& name);

/// The calling process's own network namespace, to come home to.
Expected<Fd> own_netns();
Outcome set_netns(const Fd& netns);

/// Every name in the directory.
Expected<std::vector<std::string>> list_netns();
Outcome delete_all_netns();

}  // namespace bisect_run::agent
