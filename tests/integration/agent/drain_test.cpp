#include "drain.h"

#include "links.h"
#include "workload_fixture.h"

namespace bisect_run::agent {
namespace {

using DrainTest = WorkloadTest;

/// Makes a namespace with a veth end in it, and lets it go by hand: the outer end is an independent
/// witness, which vanishes only when the kernel tears the namespace down.
void make_and_abandon(int i) {
  const std::string n = std::to_string(i), path = "/run/netns/d" + n;
  test::output_of("ip netns add d" + n + " && ip link add o" + n +
                  " type veth peer name i netns d" + n + " && umount " + path + " && rm " + path);
}

TEST_F(DrainTest, WaitsForTheEndOfEveryDeadNamespace) {
  isolated([] {
    auto netlink = Netlink::open();
    ASSERT_TRUE(netlink);
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < 20; ++i) make_and_abandon(i);
      const Outcome drained = drain_netns(*netlink);
      ASSERT_TRUE(drained) << drained.error().reason;
      EXPECT_EQ(link_names(), std::set<std::string>{"lo"});
    }
  });
}

TEST_F(DrainTest, EmptyGuestDeletesManyDevicesAtOnce) {
  isolated([] {
    for (int i = 0; i < 30; ++i)
      test::output_of("ip link add t" + std::to_string(i) + " type veth peer name u" +
                      std::to_string(i));
    ASSERT_EQ(link_names().size(), 61U);
    auto netlink = Netlink::open();
    ASSERT_TRUE(netlink);
    const Outcome empty = empty_guest(*netlink);
    EXPECT_TRUE(empty) << empty.error().reason;
  });
}

}  // namespace
}  // namespace bisect_run::agent
