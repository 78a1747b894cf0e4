#include "bisect/posterior_calibration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace bisect_run::bisect {
namespace {

using State = Calibration::State;

/// Boots until a decision; returns the number of boots.
int calibrate(Calibration& calibration, double delta, double sd, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  int boots = 0;
  while (calibration.state() == State::more && boots < 1000) {
    const bool bad = calibration.next_is_bad();
    calibration.add({(bad ? delta : 0) + sd * normal(random), 30.0 * ++boots, bad});
  }
  return boots;
}

TEST(Calibration, WithoutNoiseThreePairsAreEnough) {
  const PosteriorSettings settings;
  Calibration calibration(settings);
  EXPECT_EQ(calibrate(calibration, -0.03, 0, 1), 6);
  EXPECT_EQ(calibration.state(), State::apart);
  // The prior starts from the floor, a tenth of min_effect.
  EXPECT_NEAR(calibration.prior().b0, 2 * 0.002 * 0.002, 1e-12);
  EXPECT_GE(calibration.prior().kappa, 1);
}

TEST(Calibration, IdenticalEndsAreRefusedAfterFivePairs) {
  const PosteriorSettings settings;
  Calibration calibration(settings);
  EXPECT_EQ(calibrate(calibration, 0, 0, 1), 10);
  EXPECT_EQ(calibration.state(), State::refused);
  EXPECT_NE(calibration.reason().find("interval"), std::string::npos);
}

TEST(Calibration, OrdinaryNoiseLeavesThePriorAlone) {
  const PosteriorSettings settings;
  Calibration calibration(settings);
  const int boots = calibrate(calibration, -0.12, 0.03, 1);
  EXPECT_EQ(boots, 10);
  EXPECT_EQ(calibration.state(), State::apart);
  EXPECT_NEAR(calibration.prior().b0, 0.0008, 1e-12);
  EXPECT_NEAR(calibration.look().delta, -0.12, 0.05);
}

TEST(Calibration, ThreePairsAreEnoughForAHugeDifference) {
  const PosteriorSettings settings;
  Calibration calibration(settings);
  EXPECT_EQ(calibrate(calibration, -2.8, 0.05, 1), 6);
  EXPECT_TRUE(calibration.far_apart());
  EXPECT_EQ(calibration.state(), State::apart);
}

TEST(Calibration, C4NoCulpritSmallerThanTheNoise) {
  const PosteriorSettings settings;
  int apart = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Calibration calibration(settings);
    calibrate(calibration, 0, 0.05, seed);
    apart += calibration.state() == State::apart;
  }
  EXPECT_LE(apart, 2);  // 0.002 a look, a few looks, half of it on the refused side: 1 in 300
}

TEST(Calibration, C9SwappedEndsAreRefused) {
  const PosteriorSettings settings;
  Calibration calibration(settings);
  calibrate(calibration, 0.5, 0.02, 3);
  EXPECT_EQ(calibration.state(), State::refused);
  EXPECT_NE(calibration.reason().find("--find-fix"), std::string::npos);
}

TEST(Calibration, ADifferenceBelowMinEffectIsRefusedHoweverSure) {
  const PosteriorSettings settings;
  Calibration calibration(settings);
  calibrate(calibration, -0.01, 1e-6, 3);
  EXPECT_EQ(calibration.state(), State::refused);
  PosteriorSettings finer;
  finer.min_effect = 0.005;
  Calibration fine(finer);
  calibrate(fine, -0.01, 1e-6, 3);
  EXPECT_EQ(fine.state(), State::apart);
}

TEST(Calibration, ACoarseMetricWidensTheFloor) {
  PosteriorSettings settings;
  settings.resolution = 0.1;  // steps of a tenth
  Calibration calibration(settings);
  for (double y : {0.0, -0.1, -0.1, 0.0, 0.0, -0.1}) calibration.add({y, 1, y < 0});
  // A gap of one step is not plain, though both ends repeat themselves exactly.
  EXPECT_EQ(calibration.state(), State::more);
}

TEST(Calibration, C24TakesTheEndsInTurn) {
  const PosteriorSettings settings;
  Calibration calibration(settings);
  std::string order;
  for (int i = 0; i < 8; ++i) {
    const bool bad = calibration.next_is_bad();
    order += bad ? 'B' : 'G';
    calibration.add({i * 0.1, 30.0 * i, bad});
  }
  EXPECT_EQ(order, "GBBGGBBG");
}

}  // namespace
}  // namespace bisect_run::bisect
