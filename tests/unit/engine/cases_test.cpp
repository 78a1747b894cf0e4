// Public troubles of people who bisect, as far as they concern decisions: the whole loop with the
// real strategy over a world without kernels. Each is named after its number in the collection.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "bisect/posterior.h"
#include "engine/bisection.h"
#include "support/fake_world.h"

namespace bisect_run::engine {
namespace {

using test::FakeWorld;

/// c0 … cN, c5 and later at 60 instead of 100; a fresh number a boot where there is noise.
struct Line {
  FakeWorld world;
  BisectionSetup setup;
  std::mt19937_64 random{1};

  explicit Line(std::uint32_t commits = 16, std::uint32_t culprit = 5) {
    setup.range.boundary = 1;
    for (std::uint32_t i = 0; i <= commits; ++i) {
      const std::string name = "c" + std::to_string(i);
      setup.range.nodes.push_back({.oid = {name}});
      setup.range.parents.push_back(i == 0 ? std::vector<std::uint32_t>{} : std::vector{i - 1});
      world.kernels[name].rate = i < culprit ? 100 : 60;
    }
    setup.variant = "none";
    setup.question = {.metric = "m"};
  }
  /// Every boot draws its own rate.
  void draw(std::function<double(double rate, std::mt19937_64&)> rate) {
    auto usual = world.kernels;
    world.before_each = [this, usual, rate] {
      for (auto& [name, kernel] : world.kernels) kernel.rate = rate(usual.at(name).rate, random);
    };
  }
  Findings play() {
    Prober prober(world.ports(), {}, {});
    auto findings = Bisection(setup, bisect::make_posterior(setup.range), prober).run();
    EXPECT_TRUE(findings);
    return findings.value_or(Findings{});
  }
  const Probe* probe(const Findings& findings, const std::string& commit) const {
    for (const auto& probe : findings.probes)
      if (probe.oid.hex == commit) return &probe;
    return nullptr;
  }
  std::vector<std::string> boots() const {
    std::vector<std::string> boots;
    for (const auto& entry : world.log)
      if (entry.starts_with("boot ")) boots.push_back(entry.substr(5));
    return boots;
  }
};

TEST(Case, C2_OneLuckyReading) {
  // The first boot of the middle reads good although it is bad.
  Line line;
  bool lucky = true;
  auto usual = line.world.kernels;
  std::normal_distribution<double> noise(1, 0.02);
  line.world.before_each = [&] {
    for (auto& [name, kernel] : line.world.kernels)
      kernel.rate = usual[name].rate * noise(line.random);
    const auto boots = line.boots();
    if (lucky && std::find(boots.begin(), boots.end(), "c8") == boots.end())
      line.world.kernels["c8"].rate = 85;
  };
  EXPECT_EQ(line.play().answer.commits.at(0).oid.hex, "c5");
}

/// Half of the boots are a fifth slower, whatever the commit.
Findings in_two_bands(std::uint64_t seed) {
  Line line(16, 99);  // nothing changes
  line.random.seed(seed);
  line.draw([](double rate, std::mt19937_64& random) {
    return rate * (random() % 2 ? 0.8 : 1.0) * (1 + 0.001 * static_cast<double>(random() % 10));
  });
  return line.play();
}

TEST(Case, C4_TwoBandsFromTheSameCodeAreNoCulprit) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed)
    EXPECT_NE(in_two_bands(seed).status, RunStatus::answered) << seed;
}

// GOOD in one band six times and BAD in the other, by luck: then only the boots of the verification
// can tell. Without a look at how far they lie from each other, each of these named a commit.
TEST(Case, C4_BandsThatTellTheEndsApartAreSeenInTheVerification) {
  for (const std::uint64_t seed : {124, 133, 177, 265, 273, 407}) {
    const auto findings = in_two_bands(seed);
    EXPECT_NE(findings.status, RunStatus::answered) << seed;
    EXPECT_FALSE(findings.answer.reason.empty()) << seed;
  }
}

TEST(Case, C4_AChangeThatTowersOverTheBandsIsFound) {
  int right = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Line line;
    line.random.seed(seed);
    line.draw([](double rate, std::mt19937_64& random) {
      return rate * (random() % 2 ? 0.9 : 1.0) * (1 + 0.001 * static_cast<double>(random() % 10));
    });
    const Findings findings = line.play();
    if (findings.status != RunStatus::answered) continue;
    EXPECT_EQ(findings.answer.commits.at(0).oid.hex, "c5") << seed;
    ++right;
  }
  EXPECT_GE(right, 18);
}

TEST(Case, C7_NamedOnlyWhenTheParentIsMeasured) {
  Line line;
  const Findings whole = line.play();
  EXPECT_EQ(whole.answer.commits.at(0).oid.hex, "c5");
  const auto boots = line.boots();
  EXPECT_GE(std::count(boots.begin(), boots.end(), "c4"), 3);
  EXPECT_GE(std::count(boots.begin(), boots.end(), "c5"), 3);

  Line untested;
  untested.world.kernels["c4"].builds = false;
  const Findings set = untested.play();
  EXPECT_EQ(set.answer.kind, Answer::Kind::set);
  EXPECT_EQ(set.answer.commits.size(), 2U);
}

TEST(Case, C8_ACrashOrALostGuestIsNoVote) {
  Line line(16, 12);
  line.world.kernels["c8"].outcome = BootOutcome::panic;
  line.world.kernels["c7"].outcome = BootOutcome::gone;
  const Findings findings = line.play();
  EXPECT_EQ(findings.answer.commits.at(0).oid.hex, "c12");
  const Probe* crashed = line.probe(findings, "c8");
  ASSERT_TRUE(crashed);
  EXPECT_EQ(crashed->outcome, Outcome::skip);
  EXPECT_NE(crashed->reason.find("panic"), std::string::npos);
}

TEST(Case, C8_AFaultOfTheHostEndsTheRunInsteadOfVoting) {
  Line line;
  line.world.infra_boots = 1000;
  Prober prober(line.world.ports(), {}, {});
  const auto findings =
      Bisection(line.setup, bisect::make_posterior(line.setup.range), prober).run();
  ASSERT_FALSE(findings);
  EXPECT_EQ(findings.error().kind, ErrorKind::infra);
}

TEST(Case, C10_BothEndsAreTriedBeforeAnythingElse) {
  Line line;
  line.world.kernels["c16"].builds = false;
  const Findings findings = line.play();
  EXPECT_EQ(findings.status, RunStatus::refused);
  EXPECT_EQ(findings.answer.reason, "BAD cannot be tested: error: does not compile");
  for (const auto& entry : line.world.log)
    EXPECT_TRUE(entry.ends_with(" c0") || entry.ends_with(" c16")) << entry;
}

TEST(Case, C13_BothEndsAreBootedBeforeAnythingElse) {
  Line line;
  line.world.kernels["c16"].outcome = BootOutcome::panic;  // "FATAL: kernel too old", for one
  const Findings findings = line.play();
  EXPECT_EQ(findings.status, RunStatus::refused);
  EXPECT_TRUE(findings.answer.reason.starts_with("BAD cannot be tested: "))
      << findings.answer.reason;
  for (const auto& entry : line.world.log)
    EXPECT_TRUE(entry.ends_with(" c0") || entry.ends_with(" c16")) << entry;
}

TEST(Case, C22_NothingMeasuredIsNoVerdict) {
  Line line;
  line.setup.question.metric = "another";  // no boot has a number for it
  const Findings findings = line.play();
  EXPECT_EQ(findings.status, RunStatus::refused);
  EXPECT_NE(findings.answer.reason.find("GOOD cannot be tested: no usable number for another"),
            std::string::npos)
      << findings.answer.reason;
}

TEST(Case, C24_TheEndsAreMeasuredInterleaved) {
  Line line;
  line.play();
  const auto boots = line.boots();
  ASSERT_GE(boots.size(), 6U);
  EXPECT_EQ(std::vector<std::string>(boots.begin(), boots.begin() + 6),
            (std::vector<std::string>{"c0", "c16", "c16", "c0", "c0", "c16"}));
}

}  // namespace
}  // namespace bisect_run::engine
