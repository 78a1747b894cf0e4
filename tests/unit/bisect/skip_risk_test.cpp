#include "bisect/skip_risk.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/histories.h"

namespace bisect_run::bisect {
namespace {

TEST(SkipRisk, FallsWithTheDistanceToTheNearestFailure) {
  const Graph graph(test::linear_range(400));
  const SkipRisk risk(graph, {100, 300});
  EXPECT_EQ(risk(100), 1);
  EXPECT_TRUE(risk.failed(300));
  EXPECT_NEAR(risk(130), 0.9 * std::exp(-1), 1e-12);
  EXPECT_NEAR(risk(270), risk(330), 1e-12);
  EXPECT_NEAR(risk(200), 0.9 * std::exp(-100 / 30.0), 1e-12);  // 0.032, just above the floor
  EXPECT_EQ(SkipRisk(graph, {1})(400), 0.03);
}

TEST(SkipRisk, NothingIsRiskyBeforeTheFirstFailure) {
  const Graph graph(test::linear_range(10));
  const SkipRisk risk(graph, {});
  EXPECT_EQ(risk(5), 0);
  EXPECT_FALSE(risk.failed(5));
}

}  // namespace
}  // namespace bisect_run::bisect
