#include "report/conditions.h"

#include <gtest/gtest.h>

namespace bisect_run::report {
namespace {

BuildRecord build(char letter, const std::vector<std::string>& remedies) {
  BuildRecord record;
  record.spec.commit.hex = std::string(40, letter);
  record.image.emplace();
  for (const auto& name : remedies) record.image->remedies.push_back({name, "did"});
  return record;
}

BootRecord boot(const std::string& clock, BootOutcome outcome = BootOutcome::complete) {
  BootRecord record;
  record.boot.outcome = outcome;
  record.boot.handshake.emplace();
  record.boot.handshake->clocksource = clock;
  return record;
}

TEST(Conditions, RemediesAreCountedByKernel) {
  History history;
  EXPECT_EQ(remedies_used(history), "");
  history.builds = {build('a', {"x"}), build('a', {"x"}), build('b', {"x", "y"}), build('c', {})};
  EXPECT_EQ(remedies_used(history), "x (2 kernels), y (1)");
}

TEST(Conditions, ClocksAreThoseOfCompleteBoots) {
  History history;
  EXPECT_EQ(clocks_used(history), "");
  history.boots = {boot("jiffies"), boot("tsc"), boot("tsc"), boot("hpet", BootOutcome::panic)};
  EXPECT_EQ(clocks_used(history), "tsc | jiffies");
}

}  // namespace
}  // namespace bisect_run::report
