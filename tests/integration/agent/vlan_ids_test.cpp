#include "operation.h"
#include "wire/operations.h"
#include "workload_fixture.h"

namespace bisect_run::agent {
namespace {

// The id is looked at before the kernel is asked, so lo will do as a parent.
TEST_F(WorkloadTest, VlanIdsEndAt4094) {
  isolated([] {
    Context context{.mode = Mode::direct,
                    .netlink = std::move(*Netlink::open()),
                    .programs = std::move(*Programs::make()),
                    .ip = ""};
    wire::Step step{"link_add",
                    {{"kind", std::string("vlan")},
                     {"parent", std::string("lo")},
                     {"first_id", std::int64_t{4000}}}};
    ASSERT_FALSE(wire::complete(step));
    const auto vlan = make_operation(step, context);
    ASSERT_TRUE(vlan) << vlan.error().reason;
    const Outcome last = (*vlan)->run(94), beyond = (*vlan)->run(95);
    ASSERT_FALSE(last || beyond);
    EXPECT_EQ(last.error().reason.find("vlan ids end"), std::string::npos) << last.error().reason;
    EXPECT_NE(beyond.error().reason.find("vlan ids end at 4094"), std::string::npos);
  });
}

}  // namespace
}  // namespace bisect_run::agent
