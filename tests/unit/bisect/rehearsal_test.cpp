#include "bisect/rehearsal.h"

#include <gtest/gtest.h>

#include "bisect/posterior.h"
#include "support/histories.h"

namespace bisect_run::bisect {
namespace {

const auto never = [] { return false; };

TEST(Rehearsal, CostsWhatTheModelSays) {
  // statistics.md, section 14: noise-free, N = 1024: 12 builds, 22 boots, 3540 s.
  const auto range = test::linear_range(1024);
  const auto strategy = make_posterior(range);
  const Stage stage{.culprit = 700, .change = -0.05, .sigma = 1e-9, .drift = 0};
  const auto outlay = rehearse(*strategy, Graph(range), stage, never);
  EXPECT_TRUE(outlay.finished);
  EXPECT_NEAR(outlay.builds, 12, 1);
  EXPECT_NEAR(outlay.boots, 22, 2);
  EXPECT_EQ(outlay.seconds, outlay.builds * 240 + outlay.boots * 30);
}

TEST(Rehearsal, EqualStagesAreEqualPlays) {
  const auto range = test::linear_range(300);
  const auto strategy = make_posterior(range);
  const Stage stage{.culprit = 41, .change = -0.08, .seed = 3};
  const auto first = rehearse(*strategy, Graph(range), stage, never);
  const auto again = rehearse(*strategy, Graph(range), stage, never);
  EXPECT_EQ(first.builds, again.builds);
  EXPECT_EQ(first.boots, again.boots);
}

TEST(Rehearsal, EndsWhenItIsTold) {
  const auto range = test::linear_range(300);
  const auto strategy = make_posterior(range);
  int asked = 0;
  const auto outlay =
      rehearse(*strategy, Graph(range), {.culprit = 41}, [&] { return ++asked > 4; });
  EXPECT_FALSE(outlay.finished);
  EXPECT_EQ(outlay.boots, 4);
}

}  // namespace
}  // namespace bisect_run::bisect
