#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "lab/lab.h"
#include "support/stand_in.h"
#include "support/temp_dir.h"
#include "wire/operations.h"

namespace bisect_run::lab {
namespace {

namespace fs = std::filesystem;

Scenario netns_scenario() {
  wire::Loop loop;
  loop.metric = "add+exec";
  loop.marks = {10, 25};
  for (const char* name : {"netns_add", "netns_exec"}) {
    wire::Step step{name, {}};
    EXPECT_FALSE(wire::complete(step));
    loop.each.push_back(step);
  }
  Scenario scenario;
  scenario.name = "small";
  scenario.mode = "fork";
  scenario.workloads = {{"first", {}, {loop}, {}}, {"second", {}, {loop}, {}}};
  scenario.chunks = 3;
  return scenario;
}

class LabAgent : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto found = test::test_image();
    if (!found) GTEST_SKIP() << "BISECT_RUN_TEST_IMAGE names no directory with a kernel";
    image_ = *found;
    const fs::path agent = BISECT_RUN_BUILD_DIR "/guest-agent/bisect-agent";
    if (!fs::exists(agent)) GTEST_SKIP() << "the agent is not built";
    vm::HostSettings host;
    host.run_tag = "agent";
    host.capabilities_cache = BISECT_RUN_BUILD_DIR "/test-capabilities";
    auto lab = Lab::open({.work = work_ / "lab",
                          .agent = agent,
                          .memory_of_accelerators = {},
                          .deadlines = {},
                          .notice = {}},
                         host);
    ASSERT_TRUE(lab) << lab.error().message;
    lab_.emplace(std::move(*lab));
    machine_.accelerator = "tcg";
  }

  Boot boot(const Scenario& scenario) {
    return lab_->boot(image_, machine_, scenario, {}, observer_, {});
  }

  test::TempDir work_;
  Image image_;
  Machine machine_;
  std::optional<Lab> lab_;
  std::vector<Sample> samples_;
  std::optional<Handshake> handshake_;
  Observer observer_{.handshake = [this](const Handshake& it) -> Status {
                       handshake_ = it;
                       return {};
                     },
                     .sample = [this](const Sample& it) -> Status {
                       samples_.push_back(it);
                       return {};
                     },
                     .progress = {}};
};

TEST_F(LabAgent, MeasuresEverySampleOnceOnTheProvenKernel) {
  const Boot result = boot(netns_scenario());
  ASSERT_EQ(result.outcome, BootOutcome::complete) << result.reason << result.console_tail;
  // Two workloads, two intervals, three chunks.
  EXPECT_EQ(samples_.size(), 12u);
  ASSERT_TRUE(handshake_);
  EXPECT_EQ(handshake_->build_id, image_.build_id);
  EXPECT_EQ(handshake_->config_digest, image_.config_digest);
  EXPECT_EQ(handshake_->cpus, 2);
  EXPECT_EQ(handshake_->offloaded, "");
  for (const auto& sample : samples_) EXPECT_GT(sample.items, 0);
}

// Namespaces are kernel memory: the measuring process is killed for it, or the kernel gives up.
TEST_F(LabAgent, AGuestOutOfMemorySaysSo) {
  Scenario scenario = netns_scenario();
  scenario.workloads.resize(1);
  scenario.workloads[0].loops[0].each.resize(1);
  scenario.workloads[0].loops[0].marks = {25, 100'000};
  machine_.memory_mib = 96;
  const Boot result = boot(scenario);
  EXPECT_TRUE(result.outcome == BootOutcome::scenario_failed ||
              result.outcome == BootOutcome::panic)
      << to_string(result.outcome);
  EXPECT_NE(result.reason.find("memory"), std::string::npos) << result.reason;
  EXPECT_EQ(samples_.size(), 3u) << "what was measured before is kept";
}

TEST_F(LabAgent, C20AnotherBuildIdIsTheWrongKernel) {
  image_.build_id.back() = image_.build_id.back() == '0' ? '1' : '0';
  const Boot result = boot(netns_scenario());
  EXPECT_EQ(result.outcome, BootOutcome::wrong_kernel) << result.reason;
  EXPECT_NE(result.reason.find(image_.build_id), std::string::npos) << result.reason;
  EXPECT_TRUE(samples_.empty());
}

TEST_F(LabAgent, C12OffloadedCpusAreProvenByTheLog) {
  image_.boot_args = {"rcu_nocbs=0-{last}"};
  image_.offload = "all";
  EXPECT_EQ(boot({}).outcome, BootOutcome::complete);
  ASSERT_TRUE(handshake_);
  EXPECT_EQ(handshake_->offloaded.substr(0, 3), "0-1");
  image_.boot_args = {"rcu_nocbs=0"};
  const Boot lost = boot({});
  EXPECT_EQ(lost.outcome, BootOutcome::variant_lost) << lost.reason;
  image_.offload = "0";
  EXPECT_EQ(boot({}).outcome, BootOutcome::complete);
}

TEST_F(LabAgent, ARecorderThatFailsIsOurFault) {
  observer_.sample = [](const Sample&) -> Status {
    return fail(ErrorKind::infra, "the results cannot be written");
  };
  const Boot result = boot(netns_scenario());
  EXPECT_EQ(result.outcome, BootOutcome::infra);
  EXPECT_EQ(result.reason, "the results cannot be written");
}

TEST_F(LabAgent, TheHostsCounterGivesAFineClock) {
  const Boot result =
      lab_->boot(image_, machine_, {}, {"tsc=reliable", "tsc_early_khz={tsc_khz}"}, observer_, {});
  ASSERT_EQ(result.outcome, BootOutcome::complete) << result.reason;
  if (result.cmdline.find("tsc_early_khz=") == std::string::npos)
    GTEST_SKIP() << "this machine's counter is not constant";
  EXPECT_EQ(handshake_->clocksource.substr(0, 3), "tsc");
  EXPECT_LT(handshake_->clock_resolution_ns, 100'000);
}

TEST_F(LabAgent, AutoNeverFails) {
  const auto chosen = lab_->accelerator("auto", image_);
  ASSERT_TRUE(chosen) << chosen.error().message;
  EXPECT_TRUE(*chosen == "kvm" || *chosen == "tcg");
  EXPECT_EQ(lab_->accelerator("xen", image_).error().kind, ErrorKind::usage);
}

// One vCPU comes up under the virtual clock with every QEMU; its rates follow from instructions, so
// two boots agree as no two boots with the host's time do.
TEST_F(LabAgent, TheVirtualClockIsProvenAndRepeats) {
  machine_.cpus = 1;
  machine_.clock = "virtual";
  const auto proven = lab_->prove_virtual_clock(image_, machine_);
  ASSERT_TRUE(proven) << proven.error().message;
  std::array<double, 2> seconds{};
  for (double& each : seconds) {
    samples_.clear();
    const Boot result = boot(netns_scenario());
    ASSERT_EQ(result.outcome, BootOutcome::complete) << result.reason << result.console_tail;
    EXPECT_EQ(result.machine.clock, "virtual");
    for (const auto& sample : samples_) each += static_cast<double>(sample.wall_ns) / 1e9;
  }
  EXPECT_GT(seconds[0], 0);
  EXPECT_NEAR(seconds[0] / seconds[1], 1, 0.1) << seconds[0] << " s and " << seconds[1] << " s";
}

}  // namespace
}  // namespace bisect_run::lab
