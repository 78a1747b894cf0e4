// Guests and QEMUs that fail at every stage of a boot, with real kernels: whose fault it is, and
// that nothing of them is left.

#include <optional>

#include "faults/fault_test.h"
#include "lab/lab.h"
#include "support/stand_in.h"
#include "wire/operations.h"

namespace bisect_run::test {
namespace {

namespace fs = std::filesystem;

class FaultyGuest : public FaultTest {
 protected:
  static constexpr const char* kTag = "faulty";

  void SetUp() override {
    FaultTest::SetUp();
    const auto found = test_image();
    if (!found) GTEST_SKIP() << "BISECT_RUN_TEST_IMAGE names no directory with a kernel";
    image_ = *found;
  }

  void TearDown() override {
    lab_.reset();
    EXPECT_EQ(qemus_named(std::string("bisect-run-") + kTag), 0);
    EXPECT_EQ(domain_files_named(std::string("bisect-run-") + kTag), 0);
    FaultTest::TearDown();
  }

  void open(const fs::path& agent) {
    ASSERT_TRUE(fs::exists(agent)) << agent;
    vm::HostSettings host;
    host.run_tag = kTag;
    host.capabilities_cache = BISECT_RUN_BUILD_DIR "/test-capabilities";
    auto lab = lab::Lab::open(
        {.work = work() / "lab",
         .agent = agent,
         .memory_of_accelerators = {},
         .deadlines = {.silence_s = 30, .boot_s = 90, .scenario_s = 240, .probe_s = 300},
         .notice = {}},
        host);
    ASSERT_TRUE(lab) << lab.error().message;
    lab_.emplace(std::move(*lab));
  }
  void open_real_agent() { open(BISECT_RUN_BUILD_DIR "/guest-agent/bisect-agent"); }
  void open_stand_in() {
    fs::create_directories(work() / "stand-in");
    open(make_stand_in(work() / "stand-in"));
  }

  Boot boot(const std::vector<std::string>& arguments, const Scenario& scenario = {},
            int memory_mib = 256) {
    image_.boot_args = arguments;
    Machine machine;
    machine.accelerator = "tcg";
    machine.memory_mib = memory_mib;
    injected();
    const Boot result = lab_->boot(image_, machine, scenario, {}, observer_, {});
    EXPECT_TRUE(result.host) << "the conditions of the host belong to every boot";
    survived();
    return result;
  }

  /// So many namespaces that it lasts, or that a small guest has no memory for them.
  static Scenario many_namespaces(std::int64_t count) {
    wire::Step step{"netns_add", {}};
    EXPECT_FALSE(wire::complete(step));
    wire::Loop loop;
    loop.metric = "add";
    loop.marks = {10, count};
    loop.each = {step};
    Scenario scenario;
    scenario.mode = "fork";
    scenario.workloads = {{"many", {}, {loop}, {}}};
    scenario.chunks = 3;
    return scenario;
  }

  pid_t qemu() const {
    const auto pid = output_of("cat /tmp/brv-*/run/qemu/bisect-run-faulty-*.pid 2>/dev/null");
    return pid.empty() ? 0 : std::stoi(pid);
  }

  Image image_;
  std::optional<lab::Lab> lab_;
  int samples_ = 0;
  /// Called at the first sample.
  std::function<void()> at_first_sample_;
  lab::Observer observer_{.handshake = {},
                          .sample = [this](const Sample&) -> Status {
                            if (++samples_ == 1 && at_first_sample_) at_first_sample_();
                            return {};
                          },
                          .progress = {}};
};

TEST_F(FaultyGuest, APanicBeforeAnyProcess) {
  open_stand_in();
  const Boot result = boot({"rdinit=/nowhere", "root=/dev/nowhere"});
  EXPECT_EQ(result.outcome, BootOutcome::panic) << result.reason;
}

TEST_F(FaultyGuest, ATripleFaultIsGone) {
  open_stand_in();
  const Boot result = boot({"reboot=t", "stand_in=reboot"});
  EXPECT_EQ(result.outcome, BootOutcome::gone) << result.reason;
}

TEST_F(FaultyGuest, APanicWhileItMeasures) {
  open_real_agent();
  // Process 1 cannot be killed: a guest without memory ends in a panic.
  const Boot result = boot({"sysctl.vm.panic_on_oom=1"}, many_namespaces(20000), 64);
  EXPECT_EQ(result.outcome, BootOutcome::panic) << to_string(result.outcome) << result.reason;
  EXPECT_GT(samples_, 0);
}

TEST_F(FaultyGuest, AQemuKilledWhileItMeasuresIsOurs) {
  open_real_agent();
  at_first_sample_ = [this] { ::kill(qemu(), SIGKILL); };
  const Boot result = boot({}, many_namespaces(2000));
  EXPECT_EQ(result.outcome, BootOutcome::infra) << to_string(result.outcome) << result.reason;
  EXPECT_GT(samples_, 0);
}

TEST_F(FaultyGuest, AQemuStoppedWhileItMeasuresIsOurs) {
  open_real_agent();
  at_first_sample_ = [this] { ::kill(qemu(), SIGSTOP); };
  const Boot result = boot({}, many_namespaces(2000));
  EXPECT_EQ(result.outcome, BootOutcome::infra) << to_string(result.outcome) << result.reason;
}

TEST_F(FaultyGuest, AKernelWithoutEndOfNoiseIsAHang) {
  open_stand_in();
  const Boot result = boot({"stand_in=flood"});
  EXPECT_EQ(result.outcome, BootOutcome::hang) << result.reason;
  EXPECT_LE(result.console_tail.size(), 4096U);
}

}  // namespace
}  // namespace bisect_run::test
