#include "bisect/posterior_course.h"

#include <gtest/gtest.h>

#include <string>

#include "support/histories.h"

namespace bisect_run::bisect {
namespace {

using Phase = Course::Phase;

/// Steps as they would be left behind, with a favourite of one's choice.
class Steps {
 public:
  void boot(Node node, double mass = 0, std::vector<Node> favourite = {},
            std::vector<Node> outsiders = {}) {
    Step step;
    step.boot = {0, now_ += 30, node, {node}};
    step.apart = mass > 0;
    step.favourite_mass = mass;
    step.favourite = std::make_shared<const std::vector<Node>>(std::move(favourite));
    step.outsiders = std::make_shared<const std::vector<Node>>(std::move(outsiders));
    all.push_back(std::move(step));
  }
  std::vector<Step> all;

 private:
  double now_ = 0;
};

class CourseOfALine : public testing::Test {
 protected:
  Course now() const { return follow(graph, settings, steps.all, failures); }
  Graph graph{test::linear_range(10)};
  PosteriorSettings settings;
  Steps steps;
  std::map<Node, std::string> failures;
};

TEST_F(CourseOfALine, VerifiesParentAndCulpritInTurn) {
  EXPECT_EQ(now().phase, Phase::calibrating);
  steps.boot(0);
  steps.boot(10);
  EXPECT_EQ(now().phase, Phase::calibrating);
  steps.boot(5, 0.4);
  EXPECT_EQ(now().phase, Phase::searching);
  steps.boot(4, 0.93, {5});
  std::string order;
  while (now().phase == Phase::verifying) {
    order += std::to_string(now().next_witness);
    steps.boot(now().next_witness, 0.995, {5});
  }
  EXPECT_EQ(order, "454545");
  EXPECT_EQ(now().phase, Phase::answered);
  EXPECT_EQ(now().verified_from, 4U);
  EXPECT_EQ(now().verified_to, 10U);
}

TEST_F(CourseOfALine, BetweenEnterAndAcceptTheSearchGoesOn) {
  steps.boot(4, 0.93, {5});
  for (int i = 0; i < 6; ++i) steps.boot(i % 2 == 0 ? 4 : 5, 0.95, {5});
  EXPECT_EQ(now().phase, Phase::searching);
  steps.boot(4, 0.991, {5});  // the one verified last needs only this
  EXPECT_EQ(now().phase, Phase::answered);
  EXPECT_EQ(now().ended_at, 8U);
}

TEST_F(CourseOfALine, AnotherFavouriteIsVerifiedAnew) {
  steps.boot(4, 0.93, {5});
  for (int i = 0; i < 6; ++i) steps.boot(i % 2 == 0 ? 4 : 5, 0.95, {5});
  steps.boot(4, 0.995, {6});
  EXPECT_EQ(now().phase, Phase::verifying);
  EXPECT_EQ(now().next_witness, 5U);
}

TEST_F(CourseOfALine, WhatIsBootedAfterTheEndChangesNothing) {
  steps.boot(4, 0.93, {5});
  for (int i = 0; i < 6; ++i) steps.boot(i % 2 == 0 ? 4 : 5, 0.995, {5});
  EXPECT_EQ(now().phase, Phase::answered);
  steps.boot(4, 0.2);
  EXPECT_EQ(now().phase, Phase::answered);
  EXPECT_EQ(now().ended_at, 7U);
}

TEST_F(CourseOfALine, OfALaterChangeOnlyWhatComesLaterIsJudged) {
  steps.boot(4, 0.93, {5});
  for (int i = 0; i < 6; ++i) steps.boot(i % 2 == 0 ? 4 : 5, 0.995, {5});
  steps.boot(8, 0.95, {8});
  const auto later = [&] { return follow(graph, settings, steps.all, failures, 7); };
  EXPECT_EQ(later().phase, Phase::verifying);
  for (int i = 0; i < 6; ++i) steps.boot(i % 2 == 0 ? 7 : 8, 0.995, {8});
  EXPECT_EQ(later().ended_at, 14U);
}

TEST_F(CourseOfALine, NothingMoreIsAnEnd) {
  steps.boot(4, 0.3);
  steps.all.back().nothing_mass = 0.98;
  EXPECT_EQ(now().phase, Phase::searching);
  steps.boot(4, 0.005);
  steps.all.back().nothing_mass = 0.995;
  EXPECT_EQ(now().phase, Phase::nothing);
}

TEST_F(CourseOfALine, ARangeIsVerifiedOnlyWhenNothingInItIsLeftToTest) {
  steps.boot(4, 0.5);
  steps.boot(7, 0.95, {5, 6, 7});
  EXPECT_EQ(now().phase, Phase::searching);
  failures = {{5, "does not build"}, {6, "does not build"}};
  EXPECT_EQ(now().phase, Phase::verifying);
  EXPECT_EQ(now().next_witness, 4U);
}

TEST_F(CourseOfALine, AWitnessThatFailsIsLeftOut) {
  steps.boot(4, 0.93, {5});
  failures = {{4, "panics"}, {5, "panics"}};
  EXPECT_EQ(now().phase, Phase::verifying);
  EXPECT_EQ(now().next_witness, graph.good());  // somebody must stand for the good side
}

TEST_F(CourseOfALine, OutOfBoots) {
  settings.most_boots = 3;
  for (int i = 0; i < 3; ++i) steps.boot(4, 0.5);
  EXPECT_EQ(now().phase, Phase::spent);
}

TEST_F(CourseOfALine, KnowsTheLastLookAtAnEnd) {
  steps.boot(0);
  steps.boot(10, 0.3);
  EXPECT_EQ(now().control_time_s, 60);
  steps.boot(5, 0.3);
  EXPECT_EQ(now().control_time_s, 60);
  steps.boot(0, 0.3);
  EXPECT_EQ(now().control_time_s, 120);
  EXPECT_EQ(now().controls, 1U);
}

TEST(Course, C23AMergeIsVerifiedWithAllItsParents) {
  const Graph graph(test::make_range({{}, {0}, {0}, {1, 2}, {3}}));
  Steps steps;
  steps.boot(3, 0.95, {3});
  const PosteriorSettings settings;
  std::string order;
  while (follow(graph, settings, steps.all, {}).phase == Phase::verifying) {
    const Node next = follow(graph, settings, steps.all, {}).next_witness;
    order += std::to_string(next);
    steps.boot(next, 0.999, {3});
  }
  EXPECT_EQ(order, "123123123");
}

TEST(Course, AnOutsiderIsVerifiedAgainstGood) {
  const Graph graph(test::make_range({{}, {}, {1}, {0, 2}}, 2));
  Steps steps;
  steps.boot(1, 0.95, {}, {1});
  const Course course = follow(graph, {}, steps.all, {});
  EXPECT_EQ(course.phase, Phase::verifying);
  EXPECT_EQ(course.next_witness, graph.good());
}

}  // namespace
}  // namespace bisect_run::bisect
