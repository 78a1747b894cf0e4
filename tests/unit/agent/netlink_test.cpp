#include "netlink.h"

#include <gtest/gtest.h>

#include "links.h"

namespace bisect_run::agent {
namespace {

TEST(RequestTest, NestsHaveTheLengthOfWhatIsInside) {
  Request request(RTM_NEWLINK, NLM_F_CREATE);
  request.header(ifinfomsg{}).text(IFLA_IFNAME, "ab");
  const auto outer = request.begin(IFLA_LINKINFO);
  request.text(IFLA_INFO_KIND, "veth");
  request.end(outer);
  ASSERT_TRUE(request.fits());
  // 16 header, 16 ifinfomsg, 4+3 padded to 8, nest: 4 + (4+5 padded to 12).
  EXPECT_EQ(request.message()->nlmsg_len, 56U);
  EXPECT_EQ(request.message()->nlmsg_flags, NLM_F_CREATE | NLM_F_REQUEST);
  std::vector<std::pair<int, std::string>> seen;
  for_each_attribute(*request.message(), sizeof(ifinfomsg), [&](const rtattr& a) {
    seen.emplace_back(a.rta_type, text_of(a));
    if (a.rta_type == IFLA_LINKINFO) {
      EXPECT_EQ(a.rta_len, 16);
    }
  });
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0], (std::pair<int, std::string>{IFLA_IFNAME, "ab"}));
}

TEST(RequestTest, TooMuchIsRefusedAndNotSent) {
  Request request(RTM_NEWLINK, 0);
  request.header(ifinfomsg{}).text(IFLA_IFNAME, std::string(2000, 'x'));
  EXPECT_FALSE(request.fits());
  auto netlink = Netlink::open();
  ASSERT_TRUE(netlink);
  EXPECT_EQ(netlink->ask(request), EMSGSIZE);
}

TEST(NetlinkTest, ListsLoopbackAndFindsByName) {
  auto netlink = Netlink::open();
  ASSERT_TRUE(netlink);
  const auto links = list_links(*netlink);
  ASSERT_TRUE(links) << links.error().reason;
  ASSERT_FALSE(links->empty());
  EXPECT_EQ(links->front().name, "lo");
  EXPECT_EQ(links->front().index, 1);
  EXPECT_EQ(links->front().kind, "");
  EXPECT_EQ(find_link(*netlink, "lo"), 0);
  EXPECT_EQ(find_link(*netlink, "br-no-such"), ENODEV);
}

}  // namespace
}  // namespace bisect_run::agent
