#include "workload_fixture.h"

namespace bisect_run::agent {
namespace {

class ChurnTest : public WorkloadTest {};
INSTANTIATE_TEST_SUITE_P(Modes, ChurnTest, kEveryMode);

// A veth end here reaches into each namespace; all of them are gone only when every namespace is.
TEST_P(ChurnTest, DrainEndsWhenTheLastNamespaceIsTornDown) {
  isolated([] {
    std::vector<std::size_t> ends;  // veth ends left, after each loop
    LookingTaker taker([&] { ends.push_back(link_names().size() - 1); });
    wire::RunWorkload run = request(GetParam(), {{"netns_add", {}}, {"veth_into_netns", {}}}, 12);
    run.workload.loops.push_back(
        {.metric = "delete", .marks = {12}, .count = 0, .each = {{"netns_delete", {}}}});
    run.workload.loops.push_back(
        {.metric = "drain", .marks = {}, .count = 1, .each = {{"netns_drain", {}}}});
    const Outcome done = run_here(run, taker);
    ASSERT_TRUE(done) << done.error().reason;
    ASSERT_EQ(ends.size(), 3U);
    EXPECT_EQ(ends[0], 12U);
    EXPECT_EQ(ends[2], 0U);
    EXPECT_EQ(taker.samples.back().metric, "drain");
    EXPECT_GT(taker.samples.back().wall_ns, 0);
  });
}

}  // namespace
}  // namespace bisect_run::agent
