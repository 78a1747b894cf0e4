#pragma once

#include <cstdint>
#include <string>

#include "netlink.h"

namespace bisect_run::agent {

/// A device to be made.
struct NewLink {
  std::string kind;  ///< dummy, veth, macvlan, vlan, bond, team
  std::string name;
  std::string peer;  ///< veth: name of the other end
  int parent = 0;    ///< macvlan, vlan: index of the device below
  std::uint16_t vlan_id = 0;
  /// At once. Of a pair only the first end: the other does not know its partner yet (ENOTCONN).
  bool up = false;
  std::uint32_t group = 0;
};

/// One RTM_NEWLINK. 0 or an errno.
int add_link(Netlink& netlink, const NewLink& link);

/// Words for the errno of `add_link`; unavailable where the kernel does not know the kind.
std::unexpected<Fault> add_link_fault(const NewLink& link, int error);

}  // namespace bisect_run::agent
