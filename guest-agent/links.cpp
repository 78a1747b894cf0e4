#include "links.h"

#include <cerrno>

#include <arpa/inet.h>
#include <linux/veth.h>
#include <net/if.h>

namespace bisect_run::agent {
namespace {

constexpr std::uint32_t kGroup = 0x6272;  // of what is about to be deleted

ifinfomsg link_header(int index = 0, unsigned flags = 0, unsigned change = 0) {
  ifinfomsg header{};
  header.ifi_family = AF_UNSPEC;
  header.ifi_index = index;
  header.ifi_flags = flags;
  header.ifi_change = change;
  return header;
}

void read_kind(const rtattr& info, Link& link) {
  auto left = static_cast<unsigned>(RTA_PAYLOAD(&info));
  const auto* a = static_cast<const rtattr*>(RTA_DATA(&info));
  for (; RTA_OK(a, left); a = RTA_NEXT(a, left))
    if (a->rta_type == IFLA_INFO_KIND) link.kind = text_of(*a);
}

Link link_of(const nlmsghdr& message) {
  Link link;
  link.index = static_cast<const ifinfomsg*>(NLMSG_DATA(&message))->ifi_index;
  for_each_attribute(message, sizeof(ifinfomsg), [&](const rtattr& a) {
    if (a.rta_type == IFLA_IFNAME) link.name = text_of(a);
    if ((a.rta_type & NLA_TYPE_MASK) == IFLA_LINKINFO) read_kind(a, link);
    if (a.rta_type == IFLA_MASTER) link.master = number_of<int>(a);
    if (a.rta_type == IFLA_STATS64) link.sent_packets = number_of<rtnl_link_stats64>(a).tx_packets;
  });
  return link;
}

int delete_by_index(Netlink& netlink, int index) {
  Request request(RTM_DELLINK, 0);
  request.header(link_header(index));
  return netlink.ask(request);
}

int set_group(Netlink& netlink, int index, std::uint32_t group) {
  Request request(RTM_NEWLINK, 0);
  request.header(link_header(index)).number(IFLA_GROUP, group);
  return netlink.ask(request);
}

bool all_in_group(Netlink& netlink, const std::vector<Link>& links) {
  for (const Link& link : links)
    if (!link.kind.empty() && set_group(netlink, link.index, kGroup) != 0) return false;
  return true;
}

bool any_virtual(const std::vector<Link>& links) {
  for (const Link& link : links)
    if (!link.kind.empty()) return true;
  return false;
}

}  // namespace

Expected<std::vector<Link>> list_links(Netlink& netlink) {
  std::vector<Link> links;
  Request request(RTM_GETLINK, NLM_F_DUMP);
  request.header(link_header());
  const int error = netlink.query(request, [&](const nlmsghdr& message) {
    if (message.nlmsg_type == RTM_NEWLINK) links.push_back(link_of(message));
  });
  if (error) return os_fault("listing network devices", error);
  return links;
}

int find_link(Netlink& netlink, const std::string& name) {
  Request request(RTM_GETLINK, 0);
  request.header(link_header()).text(IFLA_IFNAME, name);
  return netlink.ask(request);
}

Expected<int> link_index(Netlink& netlink, const std::string& name) {
  Request request(RTM_GETLINK, 0);
  request.header(link_header()).text(IFLA_IFNAME, name);
  int index = 0;
  const int error = netlink.query_one(request, [&](const nlmsghdr& message) {
    index = static_cast<const ifinfomsg*>(NLMSG_DATA(&message))->ifi_index;
  });
  if (error) return os_fault("finding " + name, error);
  return index;
}

int delete_link(Netlink& netlink, const std::string& name) {
  Request request(RTM_DELLINK, 0);
  request.header(link_header()).text(IFLA_IFNAME, name);
  return netlink.ask(request);
}

int delete_by_group(Netlink& netlink, std::uint32_t group) {
  Request request(RTM_DELLINK, 0);
  request.header(link_header()).number(IFLA_GROUP, group);
  return netlink.ask(request);
}

Outcome delete_all_links(Netlink& netlink) {
  auto links = list_links(netlink);
  if (!links) return std::unexpected(links.error());
  if (!any_virtual(*links)) return {};
  // One by one costs a wait each; a group goes in one request (4.1 and later, and never if one of
  // its members cannot be deleted).
  if (all_in_group(netlink, *links) && delete_by_group(netlink, kGroup) == 0) return {};
  for (const Link& link : *links) {
    if (link.kind.empty()) continue;
    const int error = delete_by_index(netlink, link.index);
    if (error && error != ENODEV && error != EOPNOTSUPP)  // the other end of a pair; built-in ones
      return os_fault("deleting " + link.name, error);
  }
  return {};
}

int add_veth(Netlink& netlink, const std::string& name, const std::string& peer, PeerPlace place) {
  Request request(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL);
  request.header(link_header()).text(IFLA_IFNAME, name);
  const auto info = request.begin(IFLA_LINKINFO);
  request.text(IFLA_INFO_KIND, "veth");
  const auto data = request.begin(IFLA_INFO_DATA);
  const auto inner = request.begin(VETH_INFO_PEER);
  request.header(link_header()).text(IFLA_IFNAME, peer);
  if (place.netns_fd >= 0) request.number<std::uint32_t>(IFLA_NET_NS_FD, place.netns_fd);
  if (place.netns_pid >= 0) request.number<std::uint32_t>(IFLA_NET_NS_PID, place.netns_pid);
  request.end(inner).end(data).end(info);
  return netlink.ask(request);
}

int set_master(Netlink& netlink, int index, int master) {
  Request request(RTM_NEWLINK, 0);
  request.header(link_header(index)).number<std::uint32_t>(IFLA_MASTER, master);
  return netlink.ask(request);
}

int add_address(Netlink& netlink, int index, std::uint32_t address, std::uint8_t bits) {
  ifaddrmsg header{};
  header.ifa_family = AF_INET;
  header.ifa_prefixlen = bits;
  header.ifa_index = index;
  const std::uint32_t bytes = htonl(address);
  Request request(RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL);
  request.header(header).number(IFA_LOCAL, bytes).number(IFA_ADDRESS, bytes);
  return netlink.ask(request);
}

int set_link_up(Netlink& netlink, int index, bool up) {
  Request request(RTM_NEWLINK, 0);
  request.header(link_header(index, up ? IFF_UP : 0, IFF_UP));
  return netlink.ask(request);
}

}  // namespace bisect_run::agent
