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
  int master = 0;    ///< index of the bonding or team device it is a port of
  std::uint64_t sent_packets = 0;
};

Expected<std::vector<Link>> list_links(Netlink& netlink);
/// The index of a device.
Expected<int> link_index(Netlink& netlink, const std::string& name);
/// By name, without a dump: 0 or an errno, ENODEV where there is none.
int find_link(Netlink& netlink, const std::string& name);
/// 0 or an errno.
int delete_link(Netlink& netlink, const std::string& name);
int delete_by_group(Netlink& netlink, std::uint32_t group);
/// Deletes every virtual device, in one request where the kernel can do so.
Outcome delete_all_links(Netlink& netlink);

/// Where the other end of a veth pair is born.
struct PeerPlace {
  int netns_fd = -1;
  int netns_pid = -1;
};
/// RTM_NEWLINK of a veth pair. 0 or an errno.
int add_veth(Netlink& netlink, const std::string& name, const std::string& peer, PeerPlace place);

/// Sets a device up or down. 0 or an errno.
int set_link_up(Netlink& netlink, int index, bool up);
/// Makes a device a port of another. 0 or an errno.
int set_master(Netlink& netlink, int index, int master);
/// Adds an IPv4 address, in host byte order, with a prefix length. 0 or an errno.
int add_address(Netlink& netlink, int index, std::uint32_t address, std::uint8_t bits);

}  // namespace bisect_run::agent
