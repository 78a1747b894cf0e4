#include "report/host_state.h"

#include <gtest/gtest.h>

namespace bisect_run::report {
namespace {

BootRecord boot(BootOutcome outcome, std::optional<HostConditions> host) {
  BootRecord record;
  record.boot.outcome = outcome;
  record.boot.host = host;
  return record;
}

TEST(HostState, AreRangesOverAllBootsThatKnow) {
  History history;
  history.boots = {boot(BootOutcome::complete, HostConditions{0.5, 0.02, 0.0, 2000.0, 0}),
                   boot(BootOutcome::disturbed, HostConditions{7.25, 0.61, 0.0, 2000.0, 0}),
                   boot(BootOutcome::panic, HostConditions{1.0, std::nullopt, 0.0, 2000.0, 65}),
                   boot(BootOutcome::complete, std::nullopt)};
  const auto state = host_state_of(history);
  EXPECT_EQ(state.boots, 3);
  EXPECT_EQ(state.disturbed, 1);
  EXPECT_EQ(state.others.low, 0.02);
  EXPECT_EQ(state.others.high, 0.61);
  EXPECT_EQ(host_state_text(state),
            "load 0.5 to 7.2; others than the VM used 2 % to 61 % of the CPU time; 2000 MHz; "
            "the host slept for 1 min 05 s; 1 boot repeated because of it");
}

TEST(HostState, OfRunsThatLookedAtNothingAreNoText) {
  History history;
  history.boots = {boot(BootOutcome::complete, std::nullopt)};
  EXPECT_EQ(host_state_text(host_state_of(history)), "");
}

}  // namespace
}  // namespace bisect_run::report
