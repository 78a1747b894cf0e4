#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "lab/lab.h"
#include "support/stand_in.h"
#include "support/temp_dir.h"
#include "wire/messages.h"

namespace bisect_run::lab {
namespace {

namespace fs = std::filesystem;
using test::TempDir;

// One libvirt connection for all tests of this file: its start costs more than a boot.
class LabOutcomes : public ::testing::Test {
 protected:
  static constexpr const char* kTag = "outcomes";

  void SetUp() override {
    const auto found = test::test_image();
    if (!found) GTEST_SKIP() << "BISECT_RUN_TEST_IMAGE names no directory with a kernel";
    image_ = *found;
    const auto agent = test::make_stand_in(work_.path(), hello());
    if (agent.empty()) GTEST_SKIP() << "no C compiler";
    Settings settings{.work = work_ / "lab",
                      .agent = agent,
                      .memory_of_accelerators = {},
                      .deadlines = {.silence_s = 20, .boot_s = 40, .scenario_s = 60, .probe_s = 90},
                      .notice = {}};
    configure(settings);
    vm::HostSettings host;
    host.run_tag = kTag;
    host.capabilities_cache = BISECT_RUN_BUILD_DIR "/test-capabilities";
    auto lab = Lab::open(settings, host);
    ASSERT_TRUE(lab) << lab.error().message;
    lab_.emplace(std::move(*lab));
  }

  void TearDown() override {
    if (!lab_) return;
    lab_.reset();
    EXPECT_EQ(test::qemus_named(std::string("bisect-run-") + kTag), 0);
    EXPECT_EQ(test::domain_files_named(std::string("bisect-run-") + kTag), 0);
  }

  virtual std::string hello() const { return {}; }
  virtual void configure(Settings&) const {}

  Boot boot(const std::string& part, std::stop_token stop = {}) {
    image_.boot_args = {"stand_in=" + part};
    Machine machine;
    machine.accelerator = "tcg";
    machine.memory_mib = 256;
    return lab_->boot(image_, machine, Scenario{}, {}, {}, stop);
  }

  TempDir work_;
  Image image_;
  std::optional<Lab> lab_;
};

TEST_F(LabOutcomes, C14EndOfInitIsAPanicWithTheKernelsOwnWords) {
  const Boot result = boot("exit");
  EXPECT_EQ(result.outcome, BootOutcome::panic) << result.reason;
  EXPECT_NE(result.reason.find("Attempted to kill init"), std::string::npos) << result.reason;
  EXPECT_NE(result.console_tail.find("Kernel panic"), std::string::npos);
  EXPECT_FALSE(result.handshake);
}

TEST_F(LabOutcomes, RebootWithoutAWordIsGone) {
  const Boot result = boot("reboot");
  EXPECT_EQ(result.outcome, BootOutcome::gone) << result.reason;
}

TEST_F(LabOutcomes, QemuKilledFromOutsideIsInfra) {
  // Once it runs: a QEMU that dies while libvirt still talks to it is started anew.
  std::jthread killer([](std::stop_token stop) {
    while (!stop.stop_requested()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      if (test::output_of("cat /tmp/brv-*/boot/bisect-run-outcomes-*/console 2>/dev/null").empty())
        continue;
      const auto pid =
          test::output_of("cat /tmp/brv-*/run/qemu/bisect-run-outcomes-*.pid 2>/dev/null");
      if (!pid.empty() && ::kill(std::stoi(pid), SIGKILL) == 0) return;
    }
  });
  const Boot result = boot("noise");
  EXPECT_EQ(result.outcome, BootOutcome::infra) << to_string(result.outcome) << result.reason;
  EXPECT_NE(result.reason.find("QEMU ended"), std::string::npos) << result.reason;
}

TEST_F(LabOutcomes, StopIsInterrupted) {
  std::stop_source stop;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    stop.request_stop();
  });
  const auto started = std::chrono::steady_clock::now();
  const Boot result = boot("hang", stop.get_token());
  EXPECT_EQ(result.outcome, BootOutcome::interrupted) << result.reason;
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(15));
}

class LabDeadlines : public LabOutcomes {
 protected:
  void configure(Settings& settings) const override {
    settings.deadlines = {.silence_s = 6, .boot_s = 12, .scenario_s = 60, .probe_s = 90};
  }
};

TEST_F(LabDeadlines, C14SilenceIsAHang) {
  const Boot result = boot("hang");
  EXPECT_EQ(result.outcome, BootOutcome::hang) << result.reason;
  EXPECT_NE(result.reason.find("no sign of life"), std::string::npos) << result.reason;
}

TEST_F(LabDeadlines, NoiseWithoutAHelloIsAHang) {
  const Boot result = boot("noise");
  EXPECT_EQ(result.outcome, BootOutcome::hang) << result.reason;
  EXPECT_NE(result.reason.find("hello"), std::string::npos) << result.reason;
  EXPECT_NE(result.console_tail.find("still here"), std::string::npos);
}

// A serial line is too slow to reach the limit of 16 MiB before the deadline; console_test does.
TEST_F(LabDeadlines, AFloodedConsoleIsAHangWithABoundedTail) {
  const Boot result = boot("flood");
  EXPECT_EQ(result.outcome, BootOutcome::hang) << result.reason;
  EXPECT_GT(result.console_tail.size(), 1000u);
  EXPECT_LE(result.console_tail.size(), 4096u);
}

class LabForeignAgent : public LabOutcomes {
 protected:
  std::string hello() const override {
    wire::Hello other;
    other.agent_digest = "?";
    other.release = "6.1.0";
    other.build_id = "0123";
    other.cpus = 2;
    return "noise before" + wire::encode(wire::GuestMessage(other));
  }
};

TEST_F(LabForeignAgent, AForeignAgentIsNotBelieved) {
  const Boot result = boot("hello");
  EXPECT_EQ(result.outcome, BootOutcome::protocol) << result.reason;
  EXPECT_FALSE(result.handshake);
}

}  // namespace
}  // namespace bisect_run::lab
