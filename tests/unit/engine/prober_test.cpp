#include "engine/prober.h"

#include <gtest/gtest.h>

#include "support/fake_world.h"

namespace bisect_run::engine {
namespace {

using test::FakeWorld;

KernelSpec spec(const std::string& commit) {
  return {commit, {commit}, {}, "none"};
}

TEST(Prober, BuildsOnceAndBootsAsOftenAsAsked) {
  FakeWorld world;
  Prober prober(world.ports(), {}, {});
  ASSERT_TRUE(prober.boot(spec("a"), {}, {}));
  ASSERT_TRUE(prober.boot(spec("a"), {}, {}));
  EXPECT_EQ(world.log, (std::vector<std::string>{"build a", "boot a", "boot a"}));
  EXPECT_EQ(prober.history().boots.size(), 2u);
  EXPECT_EQ(prober.history().builds.size(), 1u);
  EXPECT_EQ(world.samples_recorded, 18);
}

TEST(Prober, AFailedBuildIsRecordedAndNoError) {
  FakeWorld world;
  world.kernels["a"].builds = false;
  Prober prober(world.ports(), {}, {});
  const auto image = prober.image(spec("a"));
  ASSERT_TRUE(image);
  EXPECT_EQ(*image, nullptr);
  ASSERT_EQ(prober.history().builds.size(), 1u);
  EXPECT_TRUE(prober.history().builds[0].error);
  ASSERT_TRUE(prober.image(spec("a")));
  EXPECT_EQ(world.log.size(), 1u) << "a known failure is not built again";
}

TEST(Prober, TransientFaultsOfTheHostAreRetried) {
  FakeWorld world;
  world.infra_builds = kInfraTries - 1;
  world.infra_boots = kInfraTries - 1;
  Prober prober(world.ports(), {}, {});
  const auto record = prober.boot(spec("a"), {}, {});
  ASSERT_TRUE(record);
  EXPECT_EQ(record->boot.outcome, BootOutcome::complete);
}

TEST(Prober, ALastingFaultOfTheHostEndsTheRunAndNeverVotes) {
  FakeWorld world;
  world.infra_boots = 1000;
  Prober prober(world.ports(), {}, {});
  const auto record = prober.boot(spec("a"), {}, {});
  ASSERT_FALSE(record);
  EXPECT_EQ(record.error().kind, ErrorKind::infra);
  for (const auto& boot : prober.history().boots) EXPECT_EQ(boot.boot.outcome, BootOutcome::infra);
}

TEST(Prober, AStopRequestStopsBeforeTheNextAction) {
  FakeWorld world;
  std::stop_source stop;
  Prober prober(world.ports(), {}, stop.get_token());
  ASSERT_TRUE(prober.image(spec("a")));
  stop.request_stop();
  const auto record = prober.boot(spec("a"), {}, {});
  ASSERT_FALSE(record);
  EXPECT_EQ(record.error().kind, ErrorKind::interrupted);
  EXPECT_EQ(world.log, std::vector<std::string>{"build a"});
}

TEST(Prober, AResumedRunAsksForTheImageAgainButRecordsItOnce) {
  FakeWorld world;
  Prober first(world.ports(), {}, {});
  ASSERT_TRUE(first.image(spec("a")));
  Prober second(world.ports(), first.history(), {});
  ASSERT_TRUE(second.boot(spec("a"), {}, {}));
  EXPECT_EQ(second.history().builds.size(), 1u);
}

TEST(Prober, SeveralKernelsAreRecordedInOrderAndEachOnce) {
  FakeWorld world;
  world.kernels["b"].builds = false;
  Prober prober(world.ports(), {}, {});
  ASSERT_TRUE(prober.image(spec("a")));
  const std::vector<KernelSpec> specs{spec("c"), spec("a"), spec("b")};
  ASSERT_TRUE(prober.build_together(specs));
  ASSERT_EQ(prober.history().builds.size(), 3U);
  EXPECT_EQ(prober.history().builds[1].spec.commit.hex, "c");
  EXPECT_EQ(prober.history().builds[2].spec.commit.hex, "b");
  EXPECT_TRUE(prober.history().builds[2].error);
  EXPECT_EQ(world.log, (std::vector<std::string>{"build a", "build c", "build b"}));
  // And they are at hand.
  const auto image = prober.image(spec("c"));
  ASSERT_TRUE(image);
  EXPECT_NE(*image, nullptr);
  EXPECT_EQ(world.log.size(), 3U);
}

TEST(Prober, AFaultOfTheHostAmongSeveralIsRetriedAlone) {
  FakeWorld world;
  world.infra_builds = 1;
  Prober prober(world.ports(), {}, {});
  const std::vector<KernelSpec> specs{spec("a"), spec("b")};
  ASSERT_TRUE(prober.build_together(specs));
  EXPECT_EQ(prober.history().builds.size(), 2U);
  world.infra_builds = 100;
  const std::vector<KernelSpec> more{spec("c"), spec("d")};
  const auto failed = prober.build_together(more);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, ErrorKind::infra);
  EXPECT_EQ(prober.history().builds.size(), 2U) << "nothing is recorded before all are done";
}

}  // namespace
}  // namespace bisect_run::engine
