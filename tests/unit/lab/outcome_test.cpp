#include "lab/outcome.h"

#include <gtest/gtest.h>

namespace bisect_run::lab {
namespace {

const Ending kHang{BootOutcome::hang, "no sign of life"};

Evidence ran() {
  Evidence it;
  it.console_bytes = 100;
  it.cpu_seconds = 1;
  return it;
}

TEST(Classify, C8OurOwnAndTheHostsFaultsComeFirst) {
  Evidence it = ran();
  it.panic = "Kernel panic - not syncing: x";
  it.session = kHang;
  EXPECT_EQ(classify(it).outcome, BootOutcome::panic);
  it.domain = vm::DomainEnd::failed;
  EXPECT_EQ(classify(it).outcome, BootOutcome::infra);
  it.domain = vm::DomainEnd::destroyed;
  EXPECT_EQ(classify(it).outcome, BootOutcome::infra);
  it.domain = vm::DomainEnd::running;
  it.recorder_error = "disk full";
  EXPECT_EQ(classify(it).outcome, BootOutcome::infra);
  it.stopped = true;
  EXPECT_EQ(classify(it).outcome, BootOutcome::interrupted);
}

TEST(Classify, WhatIsCompleteStaysSoHoweverTheVmEnds) {
  Evidence it = ran();
  it.session = Ending{};
  for (const auto end : {vm::DomainEnd::running, vm::DomainEnd::failed, vm::DomainEnd::shut_off}) {
    it.domain = end;
    EXPECT_EQ(classify(it).outcome, BootOutcome::complete);
  }
}

TEST(Classify, TheKernelsWordsBeforeTheSymptoms) {
  Evidence it = ran();
  it.domain = vm::DomainEnd::shut_off;
  EXPECT_EQ(classify(it).outcome, BootOutcome::gone);
  it.oops = "BUG: unable to handle page fault";
  EXPECT_NE(classify(it).reason.find(it.oops), std::string::npos);
  it.panic = "Kernel panic - not syncing: Fatal exception";
  EXPECT_EQ(classify(it).outcome, BootOutcome::panic);
  it.panic.clear();
  it.domain = vm::DomainEnd::crashed;
  EXPECT_EQ(classify(it).outcome, BootOutcome::panic);
  it.session = Ending{BootOutcome::protocol, "garbage"};
  EXPECT_EQ(classify(it).outcome, BootOutcome::panic);
}

TEST(Classify, AVmThatNeverRanIsNoHang) {
  Evidence it;
  it.session = kHang;
  EXPECT_EQ(classify(it).outcome, BootOutcome::infra);
  it.cpu_seconds = 0.5;
  EXPECT_EQ(classify(it).outcome, BootOutcome::hang);
  it.cpu_seconds = 0;
  it.console_bytes = 1;
  EXPECT_EQ(classify(it).outcome, BootOutcome::hang);
  it.held = true;
  EXPECT_EQ(classify(it).outcome, BootOutcome::infra);
}

TEST(Classify, FloodAndLostChannel) {
  Evidence it = ran();
  it.flooded = true;
  EXPECT_EQ(classify(it).outcome, BootOutcome::hang);
  it.domain = vm::DomainEnd::failed;  // it ran into the limit of what QEMU may write
  EXPECT_EQ(classify(it).outcome, BootOutcome::hang);
  it.domain = vm::DomainEnd::running;
  it.flooded = false;
  it.channel_closed = true;
  EXPECT_EQ(classify(it).outcome, BootOutcome::infra);
}

}  // namespace
}  // namespace bisect_run::lab
