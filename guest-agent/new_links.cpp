#include "new_links.h"

#include <cerrno>

#include <linux/veth.h>
#include <net/if.h>

#include "modules.h"

namespace bisect_run::agent {
namespace {

ifinfomsg header_of(const NewLink& link) {
  ifinfomsg header{};
  header.ifi_flags = header.ifi_change = link.up ? IFF_UP : 0;
  return header;
}

void put_data(Request& request, const NewLink& link) {
  const auto data = request.begin(IFLA_INFO_DATA);
  if (link.kind == "veth") {
    const auto peer = request.begin(VETH_INFO_PEER);
    request.header(ifinfomsg{}).text(IFLA_IFNAME, link.peer);
    if (link.group) request.number(IFLA_GROUP, link.group);
    request.end(peer);
  }
  if (link.kind == "vlan") request.number(IFLA_VLAN_ID, link.vlan_id);
  request.end(data);
}

}  // namespace

int add_link(Netlink& netlink, const NewLink& link) {
  Request request(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL);
  request.header(header_of(link)).text(IFLA_IFNAME, link.name);
  if (link.parent) request.number<std::uint32_t>(IFLA_LINK, link.parent);
  if (link.group) request.number(IFLA_GROUP, link.group);
  const auto info = request.begin(IFLA_LINKINFO);
  request.text(IFLA_INFO_KIND, link.kind);
  if (link.kind == "veth" || link.kind == "vlan") put_data(request, link);
  request.end(info);
  return netlink.ask(request);
}

std::unexpected<Fault> add_link_fault(const NewLink& link, int error) {
  if (error == EOPNOTSUPP)
    return unavailable("no devices of kind " + link.kind +
                       "; where it is a module: `" + module_command(link.kind) + "`");
  return os_fault("adding " + link.name, error);
}

}  // namespace bisect_run::agent
