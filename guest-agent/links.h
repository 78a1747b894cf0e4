#pragma once

#include <string>
#include <vector>

#include "netlink.h"

// Network devices of the socket's namespace.

namespace bisect_run::agent {

struct Link {
  int index = 0;
  std::string name;
  std::string kind;  ///< veth, vlan, …; empty for what is no virtual device
};

Expected<std::vector<Link>> list_links(Netlink& netlink);
/// By name, without a dump: 0 or an errno, ENODEV where there is none.
int find_link(Netlink& netlink, const std::string& name);
/// Deletes every virtual device, in one request where the kernel can do so.
Outcome delete_all_links(Netlink& netlink);

/// Where the other end of a veth pair is born.
struct PeerPlace {
  int netns_fd = -1;
  int netns_pid = -1;
};
/// RTM_NEWLINK of a veth pair. 0 or an errno.
int add_veth(Netlink& netlink, const std::string& name, const std::string& peer, PeerPlace place,
             bool up = false);

/// Sets a device up or down. 0 or an errno.
int set_link_up(Netlink& netlink, int index, bool up);

}  // namespace bisect_run::agent
