#include "engine/disturbance.h"

#include <gtest/gtest.h>

#include "support/fake_world.h"

namespace bisect_run::engine {
namespace {

HostConditions with_others(double share) {
  return {.load = {}, .others = share, .steal = 0.0, .mhz = 2000.0};
}

void add(std::vector<BootRecord>& history, const HostConditions& host,
         BootOutcome outcome = BootOutcome::complete) {
  BootRecord record;
  record.boot.outcome = outcome;
  record.boot.host = host;
  history.push_back(record);
}

std::vector<BootRecord> calibrated_at(double low, double high) {
  std::vector<BootRecord> history;
  for (int i = 0; i < kCalibratingBoots; ++i) add(history, with_others(i % 2 == 0 ? low : high));
  return history;
}

TEST(Disturbance, NothingIsJudgedBeforeTheHostIsKnown) {
  std::vector<BootRecord> history;
  for (int i = 0; i < kCalibratingBoots; ++i) {
    EXPECT_FALSE(disturbance(history, with_others(0.2 * i))) << i;
    add(history, with_others(0.2 * i));
  }
  EXPECT_TRUE(disturbance(history, with_others(0.95)));
  EXPECT_FALSE(disturbance(history, std::nullopt));
}

TEST(Disturbance, IsRelativeToTheCalibrationOnBothSides) {
  const auto busy = calibrated_at(0.40, 0.50);
  EXPECT_FALSE(disturbance(busy, with_others(0.59)));
  EXPECT_FALSE(disturbance(busy, with_others(0.31)));
  EXPECT_TRUE(disturbance(busy, with_others(0.61)));
  EXPECT_TRUE(disturbance(busy, with_others(0.29)));  // faster than at calibration: as untrue
}

TEST(Disturbance, StealRateAndSleep) {
  const auto history = calibrated_at(0.01, 0.02);
  auto now = with_others(0.02);
  EXPECT_FALSE(disturbance(history, now));
  now.steal = 0.06;
  EXPECT_NE(disturbance(history, now).value_or("").find("stolen"), std::string::npos);
  now.steal = 0.04;
  now.mhz = 1750.0;
  EXPECT_NE(disturbance(history, now).value_or("").find("1750 MHz"), std::string::npos);
  now.mhz = 1850.0;
  EXPECT_FALSE(disturbance(history, now));
  now.suspended_s = 2;
  EXPECT_TRUE(disturbance(history, now));
  EXPECT_TRUE(disturbance({}, now)) << "a boot over which the host slept calibrates nothing";
  EXPECT_FALSE(disturbance(history, HostConditions{})) << "what is unknown is not judged";
}

TEST(Disturbance, AChangeForGoodCostsABoundedNumberOfBoots) {
  auto history = calibrated_at(0.01, 0.02);
  int disturbed = 0, complete = 0;
  for (int boot = 0; boot < 50; ++boot) {
    const bool is = disturbance(history, with_others(0.5)).has_value();
    ++(is ? disturbed : complete);
    add(history, with_others(0.5), is ? BootOutcome::disturbed : BootOutcome::complete);
  }
  EXPECT_EQ(disturbed, kDisturbedTries);
  EXPECT_EQ(complete, 50 - kDisturbedTries);
  EXPECT_FALSE(disturbance(history, with_others(0.02))) << "what was usual before stays usual";
}

TEST(Disturbance, WhatIsUsualDoesNotCreep) {
  auto history = calibrated_at(0.0, 0.0);
  for (double share = 0.0; share < 0.1; share += 0.02) {
    ASSERT_FALSE(disturbance(history, with_others(share)));
    add(history, with_others(share));
  }
  EXPECT_TRUE(disturbance(history, with_others(0.12)));
}

// Through the ports: the boot is repeated, recorded, and does not vote.

struct NoisyWorld : test::FakeWorld {
  std::vector<HostConditions> plan;  ///< of the next boots; the last one stays
  std::size_t next = 0;
  Boot boot(const BootRequest& request, SampleSink& sink) override {
    Boot result = FakeWorld::boot(request, sink);
    result.host = plan[std::min(next++, plan.size() - 1)];
    return result;
  }
};

KernelSpec spec() {
  return {"a", {"a"}, {}, "none"};
}

TEST(Disturbance, TheProberRepeatsADisturbedBootAndKeepsIt) {
  NoisyWorld world;
  world.plan.assign(kCalibratingBoots, with_others(0.02));
  world.plan.push_back(with_others(0.7));
  world.plan.push_back(with_others(0.02));
  Prober prober(world.ports(), {}, {});
  for (int i = 0; i < kCalibratingBoots + 1; ++i) {
    const auto record = prober.boot(spec(), {}, {});
    ASSERT_TRUE(record);
    EXPECT_EQ(record->boot.outcome, BootOutcome::complete);
  }
  ASSERT_EQ(prober.history().boots.size(), kCalibratingBoots + 2u);
  const auto& kept = prober.history().boots[kCalibratingBoots];
  EXPECT_EQ(kept.boot.outcome, BootOutcome::disturbed);
  EXPECT_NE(kept.boot.reason.find("70 %"), std::string::npos) << kept.boot.reason;
  EXPECT_FALSE(kept.samples.empty());
  EXPECT_EQ(world.observer.notes.size(), 1u);
}

TEST(Disturbance, AHostThatSleepsInEveryBootEndsTheRunResumable) {
  NoisyWorld world;
  auto asleep = with_others(0.02);
  asleep.suspended_s = 60;
  world.plan = {asleep};
  Prober prober(world.ports(), {}, {});
  const auto record = prober.boot(spec(), {}, {});
  ASSERT_FALSE(record);
  EXPECT_EQ(record.error().kind, ErrorKind::infra);
  EXPECT_EQ(prober.history().boots.size(), kDisturbedTries + 1u);
}

TEST(Disturbance, AHostThatIsAlwaysBusyLoopsNowhere) {
  NoisyWorld world;
  world.plan = {with_others(0.9)};
  Prober prober(world.ports(), {}, {});
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(prober.boot(spec(), {}, {}));
  EXPECT_EQ(prober.history().boots.size(), 10u);
}

}  // namespace
}  // namespace bisect_run::engine
