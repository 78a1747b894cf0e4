#include "team.h"

#include <cerrno>

#include <linux/genetlink.h>
#include <linux/if_team.h>

namespace bisect_run::agent {
namespace {

// Types of option values, as the kernel's netlink attribute types are numbered (NLA_U32, …).
constexpr std::uint8_t kNumber = 3, kString = 5;

/// The number that this boot gave to the family `team`; 0 where there is none.
std::uint16_t find_family(Netlink& netlink) {
  Request request(GENL_ID_CTRL, 0);
  request.header(genlmsghdr{.cmd = CTRL_CMD_GETFAMILY, .version = 1, .reserved = 0})
      .text(CTRL_ATTR_FAMILY_NAME, TEAM_GENL_NAME);
  std::uint16_t family = 0;
  netlink.query_one(request, [&](const nlmsghdr& message) {
    for_each_attribute(message, GENL_HDRLEN, [&](const rtattr& a) {
      if (a.rta_type == CTRL_ATTR_FAMILY_ID) family = number_of<std::uint16_t>(a);
    });
  });
  return family;
}

int set_option(int index, const char* name, std::uint8_t type, const void* value,
               std::size_t size) {
  auto netlink = Netlink::open(NETLINK_GENERIC);
  if (!netlink) return EPROTONOSUPPORT;
  const std::uint16_t family = find_family(*netlink);
  if (!family) return ENOENT;
  Request request(family, 0);
  request
      .header(genlmsghdr{.cmd = TEAM_CMD_OPTIONS_SET, .version = TEAM_GENL_VERSION, .reserved = 0})
      .number<std::uint32_t>(TEAM_ATTR_TEAM_IFINDEX, index);
  const auto list = request.begin(TEAM_ATTR_LIST_OPTION);
  const auto option = request.begin(TEAM_ATTR_ITEM_OPTION);
  request.text(TEAM_ATTR_OPTION_NAME, name)
      .number(TEAM_ATTR_OPTION_TYPE, type)
      .bytes(TEAM_ATTR_OPTION_DATA, value, size);
  request.end(option).end(list);
  // Having set it, the kernel tells listeners, and answers ESRCH where there are none.
  const int error = netlink->ask(request);
  return error == ESRCH ? 0 : error;
}

}  // namespace

int set_team_mode(int index, const std::string& mode) {
  return set_option(index, "mode", kString, mode.c_str(), mode.size() + 1);
}

int set_team_active_port(int index, int port) {
  const auto number = static_cast<std::uint32_t>(port);
  return set_option(index, "activeport", kNumber, &number, sizeof number);
}

}  // namespace bisect_run::agent
